package classify

import (
	"regexp"
	"strings"
)

// hostName is a name or address in a message, perhaps with a port.
const hostName = `([A-Za-z0-9][-A-Za-z0-9._]*(?::[0-9]{1,5})?|\[?[0-9A-Fa-f:]*:[0-9A-Fa-f:.]+\]?(?::[0-9]{1,5})?)`

// hostForms are the forms in which programs say that a host cannot be found or
// reached. The last group is the host.
var hostForms = []func() *regexp.Regexp{
	pattern(`\(Could not resolve host: ` + hostName + `\)`), // cargo's, which says it twice
	pattern(`(?i)could(?: not|n't) resolve (?:host(?:name)?|proxy)(?: name)?:? ['"‘“]?` + hostName),
	pattern(`(?i)could not resolve ['‘“"]` + hostName),
	pattern(`(?i)temporary failure resolving ['‘“"]` + hostName),
	pattern(`(?i)failed to resolve ['‘“"]` + hostName),
	pattern(`(?i)unable to resolve host address\s+['‘“"»«` + "`" + `]` + hostName),
	pattern(`(?i)unknown host:? ` + hostName),
	pattern(`^wget(?: ?): [^‘“«»'"` + "`" + `]*[‘“«»'"` + "`" + `]\s*` + hostName), // in any language
	pattern(`getaddrinfo (?:ENOTFOUND|EAI_AGAIN|EAI_NONAME) ` + hostName),
	pattern(`\blookup ` + hostName + `(?: on [^ ]+)?: .*(?:no such host|unreachable|server misbehaving|i/o timeout|connection refused|permission denied|operation not permitted|Temporary failure|Try again)`),
	pattern(`UnknownHostException: ` + hostName),
	pattern(`(?i)(?:^|: )` + hostName + `: (?:name or service not known|temporary failure in name resolution|nodename nor servname provided|name does not resolve|no address associated with hostname|unknown host)`),
	pattern(`(?i)failed to lookup address information.*[ (/]` + hostName),
	pattern(`connect (?:ENETUNREACH|EHOSTUNREACH|ENETDOWN|EPERM|EACCES) ` + hostName),
	pattern(`(?i)connect to host ([^ ]+) port [0-9]+: (?:network is unreachable|no route to host|permission denied|operation not permitted)`),
	pattern(`(?i)dial (?:tcp|udp)[46]? ` + hostName + `: connect: (?:network is unreachable|no route to host|permission denied|operation not permitted)`),
	pattern(`(?i)host='` + hostName + `', port=[0-9]+.*(?:name resolution|name or service|unreachable|failed to resolve|nodename)`),
	pattern(`(?i)tcp connection to "?` + hostName + `"?.*(?:getaddrinfo|unreachable)`),
	pattern(`(?i)^Resolving ` + hostName + ` .*failed`),
}

// weakHosts are forms in which the cause can be on the other side.
var weakHosts = []func() *regexp.Regexp{
	pattern(`(?i)failed to connect to ` + hostName + ` port ([0-9]+)`),
	pattern(`connect ECONNREFUSED ` + hostName),
}

var unreachableText = pattern(`(?i)(?:name or service not known|temporary failure in name resolution|network is unreachable|no such host)`)

// hostMessages returns what a line says about hosts. Where one host is named,
// the rest of the line is about the same.
func hostMessages(line string) []message {
	if len(line) > 2048 {
		line = line[:2048]
	}
	for _, re := range hostForms {
		if m := re().FindStringSubmatch(line); m != nil {
			return []message{{line: line, net: true, host: cleanHost(m[len(m)-1])}}
		}
	}
	for _, re := range weakHosts {
		m := re().FindStringSubmatch(line)
		if m == nil {
			continue
		}
		host := cleanHost(m[1])
		if len(m) > 2 {
			host += ":" + m[2]
		}
		return []message{{line: line, net: true, host: host, weak: true}}
	}
	if unreachableText().MatchString(line) {
		return []message{{line: line, net: true, weak: true}}
	}
	return nil
}

// cleanHost takes off what follows a name in a sentence.
func cleanHost(s string) string {
	return strings.TrimRight(s, ".:")
}
