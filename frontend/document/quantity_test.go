package document_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/frontend/document"
)

type quantity struct {
	n   int64
	err string
}

func quantityOf(n int64, err error) quantity {
	if err != nil {
		return quantity{n, err.Error()}
	}
	return quantity{n: n}
}

func TestParseSize(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in string
		want     quantity
	}{
		{"bytes", "1B", quantity{n: 1}},
		{"kibibytes", "3KiB", quantity{n: 3072}},
		{"mebibytes", "512MiB", quantity{n: 536870912}},
		{"gibibytes", "2GiB", quantity{n: 2147483648}},
		{"tebibytes", "1TiB", quantity{n: 1099511627776}},
		{"the largest, in tebibytes", "1024TiB", quantity{n: 1125899906842624}},
		{"the largest, in bytes", "1125899906842624B", quantity{n: 1125899906842624}},
		{"a byte more", "1125899906842625B", quantity{err: `the size "1125899906842625B" is absurd`}},
		{"a tebibyte more", "1025TiB", quantity{err: `the size "1025TiB" is absurd`}},
		{"more than 63 bits after the unit", "9223372036854775807TiB", quantity{err: `the size "9223372036854775807TiB" is absurd`}},
		{"more than 63 bits", "9223372036854775808B", quantity{err: `"9223372036854775808B" is absurd`}},
		{"no unit", "1024", quantity{err: `the size "1024" has no unit`}},
		{"one letter", "2G", quantity{err: `the unit of "2G" is ambiguous; write 2GiB`}},
		{"decimal unit", "2GB", quantity{err: `the unit of "2GB" is ambiguous; write 2GiB`}},
		{"wrong case", "2gib", quantity{err: `the unit of "2gib" is ambiguous; write 2GiB`}},
		{"lower-case bytes", "7b", quantity{err: `the unit of "7b" is ambiguous; write 7B`}},
		{"kilobytes", "7kb", quantity{err: `the unit of "7kb" is ambiguous; write 7KiB`}},
		{"megabytes", "7M", quantity{err: `the unit of "7M" is ambiguous; write 7MiB`}},
		{"terabytes", "7tb", quantity{err: `the unit of "7tb" is ambiguous; write 7TiB`}},
		{"unknown unit", "2PiB", quantity{err: `the size "2PiB" has an unknown unit`}},
		{"two parts", "1GiB512MiB", quantity{err: `the size "1GiB512MiB" has an unknown unit`}},
		{"zero", "0B", quantity{err: "the size is zero"}},
		{"leading zero", "01B", quantity{err: `"01B" is not a whole number with a unit`}},
		{"negative", "-1GiB", quantity{err: `"-1GiB" is negative`}},
		{"plus", "+1GiB", quantity{err: `"+1GiB" is not a whole number with a unit`}},
		{"fraction", "1.5GiB", quantity{err: `"1.5GiB" is not a whole number with a unit`}},
		{"comma", "1,024B", quantity{err: `"1,024B" is not a whole number with a unit`}},
		{"underscore", "1_024B", quantity{err: `"1_024B" is not a whole number with a unit`}},
		{"space", "1 GiB", quantity{err: `"1 GiB" is not a whole number with a unit`}},
		{"space in front", " 1GiB", quantity{err: `" 1GiB" is not a whole number with a unit`}},
		{"space behind", "1GiB ", quantity{err: `the size "1GiB " has an unknown unit`}},
		{"digits of another script", "١GiB", quantity{err: `"١GiB" is not a whole number with a unit`}},
		{"unit alone", "GiB", quantity{err: `"GiB" is not a whole number with a unit`}},
		{"empty", "", quantity{err: "the value is empty"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, quantityOf(document.ParseSize(tt.in)), cmp.AllowUnexported(quantity{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseDuration(t *testing.T) {
	t.Parallel()
	of := func(d time.Duration) quantity { return quantity{n: int64(d)} }
	tests := []struct {
		name, in string
		want     quantity
	}{
		{"milliseconds", "250ms", of(250 * time.Millisecond)},
		{"seconds", "90s", of(90 * time.Second)},
		{"minutes", "10m", of(10 * time.Minute)},
		{"hours", "36h", of(36 * time.Hour)},
		{"days", "2d", of(48 * time.Hour)},
		{"all units", "1d2h3m4s5ms", of(26*time.Hour + 3*time.Minute + 4*time.Second + 5*time.Millisecond)},
		{"some units", "1h30m", of(90 * time.Minute)},
		{"minutes and milliseconds", "1m1ms", of(time.Minute + time.Millisecond)},
		{"a zero part", "0h5m", of(5 * time.Minute)},
		{"more than a unit holds", "120m", of(2 * time.Hour)},
		{"the longest", "366d", of(366 * 24 * time.Hour)},
		{"the longest, in milliseconds", "31622400000ms", of(366 * 24 * time.Hour)},
		{"a millisecond more", "366d1ms", quantity{err: `the duration "366d1ms" is absurd`}},
		{"a day more", "367d", quantity{err: `the duration "367d" is absurd`}},
		{"more than 63 bits after the unit", "9223372036854775807d", quantity{err: `the duration "9223372036854775807d" is absurd`}},
		{"more than 63 bits", "9223372036854775808ms", quantity{err: `"9223372036854775808ms" is absurd`}},
		{"no unit", "10", quantity{err: `the duration "10" has no unit`}},
		{"no unit at the end", "1m30", quantity{err: `the duration "1m30" has no unit`}},
		{"unknown unit", "10min", quantity{err: `the duration "10min" has an unknown unit, or its units are out of order`}},
		{"microseconds", "10us", quantity{err: `the duration "10us" has an unknown unit, or its units are out of order`}},
		{"out of order", "30m1h", quantity{err: `the duration "30m1h" has an unknown unit, or its units are out of order`}},
		{"a unit twice", "1m1m", quantity{err: `the duration "1m1m" has an unknown unit, or its units are out of order`}},
		{"zero", "0s", quantity{err: "the duration is zero"}},
		{"zeros", "0h0m", quantity{err: "the duration is zero"}},
		{"leading zero", "05m", quantity{err: `"05m" is not a whole number with a unit`}},
		{"negative", "-5m", quantity{err: `"-5m" is negative`}},
		{"negative part", "1h-5m", quantity{err: `the duration "1h-5m" has an unknown unit, or its units are out of order`}},
		{"fraction", "1.5h", quantity{err: `"1." is not a whole number with a unit`}},
		{"space", "1h 30m", quantity{err: `the duration "1h 30m" has an unknown unit, or its units are out of order`}},
		{"unit alone", "m", quantity{err: `"m" is not a whole number with a unit`}},
		{"empty", "", quantity{err: "the duration is empty"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, quantityOf(document.ParseDuration(tt.in)), cmp.AllowUnexported(quantity{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
