package trace

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net/netip"
)

// maxAddress is the largest socket address that the kernel takes, in bytes
// (struct __kernel_sockaddr_storage, linux/socket.h).
const maxAddress = 128

// address is a socket address as a record has it.
type address struct {
	family string
	path   string // of a socket in the file system, as it was given
	text   string // of any other
}

// familyName names an address family (linux/socket.h).
func familyName(n uint16) string {
	switch n {
	case 1:
		return "unix"
	case 2:
		return "inet"
	case 10:
		return "inet6"
	case 16:
		return "netlink"
	}
	return fmt.Sprintf("AF_%d", n)
}

// parseAddress reads a struct sockaddr of a little endian machine: unix(7),
// ip(7), ipv6(7). ok is false if it is too short to name a family.
func parseAddress(b []byte) (a address, ok bool) {
	if len(b) < 2 {
		return address{}, false
	}
	family := binary.LittleEndian.Uint16(b)
	a.family = familyName(family)
	switch {
	case family == 1:
		name := b[2:]
		switch {
		case len(name) == 0: // unnamed
		case name[0] == 0: // abstract: all bytes count
			a.text = "@" + string(name[1:])
		default:
			if i := bytes.IndexByte(name, 0); i >= 0 {
				name = name[:i]
			}
			a.path = string(name)
		}
	case family == 2 && len(b) >= 8:
		a.text = netip.AddrPortFrom(netip.AddrFrom4([4]byte(b[4:8])), binary.BigEndian.Uint16(b[2:])).String()
	case family == 10 && len(b) >= 24:
		a.text = netip.AddrPortFrom(netip.AddrFrom16([16]byte(b[8:24])).Unmap(), binary.BigEndian.Uint16(b[2:])).String()
	}
	return a, true
}
