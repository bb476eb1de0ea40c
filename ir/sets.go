package ir

// The closed sets, in the order of their numbers.

func effects() []Effect { return []Effect{Pass, Allow, Ask, Deny} }

func layers() []Layer {
	return []Layer{LayerGuard, LayerSession, LayerWorkspace, LayerUser, LayerProfile, LayerFloor}
}

func groups() []Group {
	return []Group{
		GroupDeny, GroupGrant, GroupAsk, GroupGlob, GroupNarrowAsk, GroupRequired, GroupRoot, GroupFloor,
	}
}

func onMissings() []OnMissing {
	return []OnMissing{MissingDefault, MissingReserve, MissingCreate, MissingSkip, MissingRefuse}
}

func sweeps() []Sweep { return []Sweep{SweepReport, SweepQuarantine} }

func tmpModes() []TmpMode { return []TmpMode{TmpShared, TmpPrivate} }

func networkModes() []NetworkMode { return []NetworkMode{NetNone, NetProxy, NetFull} }

func loopbackModes() []LoopbackMode {
	return []LoopbackMode{LoopbackNone, LoopbackSandbox, LoopbackHost}
}

func superviseModes() []SuperviseMode {
	return []SuperviseMode{SuperviseCreate, SuperviseOpen, SuperviseOff}
}

func envInherits() []EnvInherit { return []EnvInherit{EnvCore, EnvNone, EnvAll} }
