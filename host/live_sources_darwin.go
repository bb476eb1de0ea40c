package host

import (
	"os/user"
	"strconv"

	"golang.org/x/sys/unix"
)

// addSystem adds the facts that only this system has a way to tell. The version
// is what sw_vers(1) prints, from the sysctl that macOS has since 10.13.4. Users
// are not in /etc/passwd.
func addSystem(f *Facts) {
	f.Kernel, _ = unix.Sysctl("kern.osrelease") // empty if not known
	f.OSVersion, _ = unix.Sysctl("kern.osproductversion")
	if u, err := user.LookupId(strconv.Itoa(f.UID)); err == nil {
		f.Home = u.HomeDir
	}
}
