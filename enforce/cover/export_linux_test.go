package cover

// OnMainThread calls a function on the main thread.
var OnMainThread = onMainThread
