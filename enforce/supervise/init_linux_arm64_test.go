package supervise_test

import "fmt"

func usurp() int {
	fmt.Println("there is no program for this processor")
	return 2
}
