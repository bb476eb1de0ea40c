package supervise_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestFirstProcess holds: the first process of the sandbox, into which others may
// write a program, cannot be made to make a closed name for them.
func TestFirstProcess(t *testing.T) {
	t.Parallel()
	asUsers(t, func(t *testing.T, uid int) {
		for _, supervised := range []bool{true, false} {
			dir := workDir(t, uid)
			j := probing(dir, "init")
			j.Supervised, j.Closed, j.Wall = supervised, []string{".env"}, 20*time.Second
			text, _ := run(t, uid, j)
			if !strings.Contains(text, "written") {
				t.Fatal(text)
			}
			_, err := os.Lstat(filepath.Join(dir, ".env"))
			if made := err == nil; made == supervised {
				t.Errorf("supervised: %t, made: %t: %s", supervised, made, text)
			}
		}
	})
}

// usurp writes a program into the process 1 that makes .env and ends.
func usurp() int {
	dir, err := os.Getwd()
	if err != nil {
		return 2
	}
	// Since it waits for its children, it goes on behind the call when one ends.
	state, err := os.ReadFile("/proc/1/syscall")
	if err != nil {
		fmt.Println(err)
		return 1
	}
	fields := strings.Fields(string(state))
	pc, err := strconv.ParseInt(fields[len(fields)-1], 0, 64)
	if err != nil {
		fmt.Println(err)
		return 1
	}
	code := []byte{
		0x48, 0x8d, 0x3d, 0, 0, 0, 0, // lea rdi, the path
		0xbe, 0x41, 0, 0, 0, // mov esi, O_CREAT|O_WRONLY
		0xba, 0xa4, 0x01, 0, 0, // mov edx, 0644
		0xb8, 2, 0, 0, 0, // mov eax, open
		0x0f, 0x05, // syscall
		0x31, 0xff, // xor edi, edi
		0xb8, 0xe7, 0, 0, 0, // mov eax, exit_group
		0x0f, 0x05, // syscall
	}
	binary.LittleEndian.PutUint32(code[3:], uint32(len(code)-7))
	code = append(append(code, dir+"/.env"...), 0)
	mem, err := os.OpenFile("/proc/1/mem", os.O_WRONLY, 0)
	if err == nil {
		_, err = mem.WriteAt(code, pc)
	}
	if err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Println("written")
	_ = exec.Command("/bin/sh", "-c", "sleep 0.05 &").Run() // an orphan, which ends
	time.Sleep(time.Second)
	return 0
}
