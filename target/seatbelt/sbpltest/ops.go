package sbpltest

// parents lists the operations with what each falls back to. An empty string
// marks an operation that falls back to nothing; see builtin.
var parents = map[string]string{
	"default":                    "",
	"file*":                      "default",
	"file-ioctl":                 "file*",
	"file-read*":                 "file*",
	"file-read-data":             "file-read*",
	"file-read-metadata":         "file-read*",
	"file-read-xattr":            "file-read*",
	"file-write*":                "file*",
	"file-write-create":          "file-write*",
	"file-write-data":            "file-write*",
	"file-write-mode":            "file-write*",
	"file-write-unlink":          "file-write*",
	"file-clone":                 "",
	"file-link":                  "",
	"file-map-executable":        "",
	"file-test-existence":        "",
	"ipc-posix*":                 "default",
	"ipc-posix-sem*":             "ipc-posix*",
	"ipc-posix-shm*":             "ipc-posix*",
	"ipc-posix-shm-read-data":    "ipc-posix-shm*",
	"ipc-posix-shm-write*":       "ipc-posix-shm*",
	"ipc-posix-shm-write-create": "ipc-posix-shm-write*",
	"ipc-posix-shm-write-data":   "ipc-posix-shm-write*",
	"ipc-posix-shm-write-unlink": "ipc-posix-shm-write*",
	"mach-lookup":                "default",
	"network*":                   "default",
	"network-inbound":            "network*",
	"network-bind":               "network-inbound",
	"network-outbound":           "network*",
	"nvram*":                     "",
	"process*":                   "default",
	"process-exec*":              "process*",
	"process-exec-interpreter":   "process-exec*",
	"process-fork":               "process*",
	"process-info*":              "",
	"process-info-pidinfo":       "process-info*",
	"pseudo-tty":                 "default",
	"signal":                     "default",
	"sysctl*":                    "default",
	"sysctl-read":                "sysctl*",
	"system*":                    "default",
	"system-socket":              "system*",
}

// builtin is the answer of an operation that falls back to nothing.
func builtin(op string) bool { return op != "default" }

// aliases are other names of operations.
var aliases = map[string]string{
	"process-exec": "process-exec*",
	"file-unlink":  "file-write-unlink",
}
