package diag

// The types below are the part of SARIF 2.1.0 that sbc writes. Field order is
// the order of the output.

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool       sarifTool     `json:"tool"`
	ColumnKind string        `json:"columnKind"`
	Results    []sarifResult `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name           string      `json:"name"`
	Version        string      `json:"version,omitempty"`
	InformationURI string      `json:"informationUri"`
	Rules          []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID               Code               `json:"id"`
	ShortDescription sarifText          `json:"shortDescription"`
	FullDescription  sarifText          `json:"fullDescription"`
	Help             sarifText          `json:"help"`
	HelpURI          string             `json:"helpUri"`
	Properties       *sarifRuleProperty `json:"properties,omitempty"`
}

type sarifRuleProperty struct {
	Tags             []string `json:"tags"`
	SecuritySeverity string   `json:"security-severity"`
}

type sarifText struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

type sarifResult struct {
	RuleID           Code                `json:"ruleId"`
	RuleIndex        int                 `json:"ruleIndex"`
	Level            string              `json:"level"`
	Message          sarifText           `json:"message"`
	Locations        []sarifLocation     `json:"locations"`
	RelatedLocations []sarifLocation     `json:"relatedLocations,omitempty"`
	Properties       sarifResultProperty `json:"properties"`
}

type sarifResultProperty struct {
	Severity string `json:"severity"`
	Rule     string `json:"rule,omitempty"`
	Target   string `json:"target,omitempty"`
}

type sarifLocation struct {
	ID               int           `json:"id,omitempty"`
	PhysicalLocation sarifPhysical `json:"physicalLocation"`
	Message          *sarifText    `json:"message,omitempty"`
}

type sarifPhysical struct {
	ArtifactLocation sarifArtifact `json:"artifactLocation"`
	Region           *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

// sarifRegion leaves the columns out where the source is not known: they
// cannot be computed then, and a region of whole lines is right.
type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn,omitempty"`
	EndLine     int `json:"endLine"`
	EndColumn   int `json:"endColumn,omitempty"`
}
