package host_test

import (
	"testing"

	"github.com/sandboxc/sbc/host"
)

// stamped is a view whose stamps are as the test says, and that counts listings.
type stamped struct {
	host.Empty
	stamp  host.Stamp
	fresh  bool // it has just changed
	steady bool
	names  []host.Entry
	listed int
}

func (v *stamped) Stamp(string) (host.Stamp, bool) {
	return v.stamp, !v.fresh && v.stamp != (host.Stamp{})
}
func (v *stamped) Steady(string) bool { return v.steady }
func (v *stamped) ReadDir(string) ([]host.Entry, error) {
	v.listed++
	return v.names, nil
}

// TestStamps: a directory is listed again unless it certainly is what it was.
func TestStamps(t *testing.T) {
	t.Parallel()
	old := host.Stamp{Dev: 1, Ino: 2, Changed: 3}
	later, other := old, old
	later.Changed++
	other.Ino++
	for _, tt := range []struct {
		name          string
		first, second host.Stamp
		fresh         bool
		unsteady      bool
		listed        int
	}{
		{"unchanged", old, old, false, false, 0},
		{"changed a nanosecond later", old, later, false, false, 1},
		{"another directory", old, other, false, false, 1},
		{"gone", old, host.Stamp{}, false, false, 1},
		{"changed just before it was listed", old, old, true, false, 1},
		{"no stamp at all", host.Stamp{}, host.Stamp{}, false, false, 1},
		{"a file system that does not keep times", old, old, false, true, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			names := []host.Entry{{Name: "a", Type: host.File}}
			memo := host.NewMemo(&stamped{stamp: tt.first, fresh: tt.fresh, steady: !tt.unsteady, names: names})
			_, _ = memo.ReadDir("/d")
			script := memo.Transcript()
			again := &stamped{stamp: tt.second, steady: true, names: names}
			if !script.Holds(host.NewMemo(again)) {
				t.Error("the same names are taken for others")
			}
			if again.listed != tt.listed {
				t.Errorf("listed %d times, want %d", again.listed, tt.listed)
			}
			more := &stamped{stamp: tt.second, steady: true, names: append(names, host.Entry{Name: "b", Type: host.File})}
			if got := script.Holds(host.NewMemo(more)); got != (tt.listed == 0) {
				t.Errorf("with another name it holds: %t", got)
			}
		})
	}
}
