package classify

import (
	"strconv"
	"strings"
)

// unescape reads the escapes of C and Python. A surrogate that stands for a byte
// which is not UTF-8 is that byte (PEP 383).
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		if simple := strings.IndexByte(`abtnvfr`, s[i]); simple >= 0 {
			b.WriteByte("\a\b\t\n\v\f\r"[simple])
			continue
		}
		width, base := 0, 16
		switch s[i] {
		case 'e':
			b.WriteByte(0x1b)
			continue
		case 'x':
			width = 2
		case 'u':
			width = 4
		case 'U':
			width = 8
		case '0', '1', '2', '3', '4', '5', '6', '7':
			width, base = 3, 8
			i--
		default:
			b.WriteByte(s[i])
			continue
		}
		digits := s[i+1:]
		n := 0
		for n < width && n < len(digits) && isDigit(digits[n], base) {
			n++
		}
		v, err := strconv.ParseUint(digits[:n], base, 32)
		if err != nil {
			b.WriteByte(s[i])
			continue
		}
		i += n
		switch {
		case width <= 3:
			b.WriteByte(byte(v))
		case 0xdc80 <= v && v <= 0xdcff:
			b.WriteByte(byte(v - 0xdc00))
		default:
			b.WriteRune(rune(v))
		}
	}
	return b.String()
}

func isDigit(c byte, base int) bool {
	if base == 8 {
		return '0' <= c && c <= '7'
	}
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}
