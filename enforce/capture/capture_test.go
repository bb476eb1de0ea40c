package capture_test

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/sandboxc/sbc/enforce/capture"
)

func TestRead(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text  string
		limit int64
		want  capture.Output
	}{
		{"", 10, capture.Output{}},
		{"0123456789", 10, capture.Output{Head: []byte("0123456789")}},
		{"0123456789a", 10, capture.Output{Head: []byte("01234"), Tail: []byte("6789a"), Cut: 1}},
		{"0123456789", 5, capture.Output{Head: []byte("012"), Tail: []byte("89"), Cut: 5}},
		{"0123456789", 1, capture.Output{Head: []byte("0"), Cut: 9}},
		{"0123456789", 0, capture.Output{Cut: 10}},
		{"0123456789", -1, capture.Output{Cut: 10}},
	} {
		got, err := capture.Read(bytes.NewReader([]byte(tt.text)), tt.limit)
		if diff := cmp.Diff(tt.want, got, cmpopts.EquateEmpty()); diff != "" || err != nil {
			t.Errorf("%q with %d: %v (-want +got):\n%s", tt.text, tt.limit, err, diff)
		}
	}
}

// TestLaw: head, cut and tail are the stream, whatever the sizes of its pieces.
func TestLaw(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOfN(rapid.SliceOfN(rapid.Byte(), 0, 40), 0, 12).Draw(t, "pieces")
		limit := rapid.Int64Range(0, 60).Draw(t, "limit")
		var all []byte
		var readers []io.Reader
		for _, p := range pieces {
			all = append(all, p...)
			readers = append(readers, bytes.NewReader(p))
		}
		got, err := capture.Read(io.MultiReader(readers...), limit)
		if err != nil {
			t.Fatal(err)
		}
		first := (limit + 1) / 2
		want := capture.Output{Head: all}
		if n := int64(len(all)); n > limit {
			want = capture.Output{Head: all[:first], Tail: all[n-(limit-first):], Cut: n - limit}
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
		if got.Total() != int64(len(all)) {
			t.Fatalf("total %d, want %d", got.Total(), len(all))
		}
	})
}

// TestError: what was read before an error is kept.
func TestError(t *testing.T) {
	t.Parallel()
	got, err := capture.Read(io.MultiReader(bytes.NewReader([]byte("abc")), iotest.ErrReader(io.ErrUnexpectedEOF)), 100)
	if string(got.Head) != "abc" || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%q, %v", got.Head, err)
	}
}

// endless prints without an end until it was read so often.
type endless struct{ left int64 }

func (e *endless) Read(p []byte) (int, error) {
	if e.left -= int64(len(p)); e.left < 0 {
		return 0, io.EOF
	}
	return len(p), nil
}

// TestMemory: what a capture allocates depends on its limit alone. It runs by
// itself, since it counts what the process allocates.
func TestMemory(t *testing.T) {
	const limit = 1 << 20
	allocated := func(bytes int64) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := capture.Read(&endless{left: bytes}, limit); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	if small, big := allocated(4<<20), allocated(256<<20); big > small+limit/8 {
		t.Errorf("%d bytes for 4 MiB, %d for 256 MiB", small, big)
	}
}
