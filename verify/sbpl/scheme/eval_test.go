package scheme_test

import (
	"errors"
	"testing"
	"time"

	"github.com/sandboxc/sbc/verify/sbpl/scheme"
	"github.com/sandboxc/sbc/verify/sbpl/syntax"
)

// eval evaluates all forms of a text and returns the last value.
func eval(t testing.TB, src string) (scheme.Value, error) {
	t.Helper()
	ns, err := syntax.Parse("p.sb", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	in := scheme.New(func(name scheme.Symbol) (scheme.Value, bool) { return "given", name == "given" })
	var v scheme.Value
	for _, n := range ns {
		if v, err = in.Eval(scheme.FromSyntax(n), n.Start(), nil); err != nil {
			return nil, err
		}
	}
	return v, nil
}

func TestEval(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, src, want string }{
		{"a string", `"a"`, `a`},
		{"a name of the caller's", `given`, `given`},
		{"a name of the caller's defined anew", `(define given 1) given`, `1`},
		{"quote", `'(a "b" #\c #t . 1)`, `(a b #\c #t . 1)`},
		{"a vector", `(vector-ref #(a b) 1)`, `b`},

		{"define", `(define x 1) x`, `1`},
		{"define-once keeps", `(define x 1) (define-once x 2) x`, `1`},
		{"define-once defines", `(define-once x 2) x`, `2`},
		{"define-once of a procedure", `(define-once (f) 1) (define-once (f) 2) (f)`, `1`},
		{"a procedure", `(define (f a b) (list b a)) (f 1 2)`, `(2 1)`},
		{"further arguments", `(define (f a . r) r) (f 1 2 3)`, `(2 3)`},
		{"no further arguments", `(define (f a . r) r) (f 1)`, `()`},
		{"all arguments", `((lambda args args) 1 2)`, `(1 2)`},
		{"a procedure without a body", `(define (f)) (pair? (f))`, `#f`},
		{"a closure", `(define (add n) (lambda (x) (+ x n))) ((add 2) 3)`, `5`},
		{"a definition within", `(define (f) (define y 2) y) (f)`, `2`},
		{"a definition within stays there", `(define y 1) (define (f) (define y 2) y) (f) y`, `1`},
		{"set!", `(define x 1) (define (f) (set! x 2)) (f) x`, `2`},
		{"set! of a parameter", `(define x 1) (define (f x) (set! x 2)) (f 3) x`, `1`},

		{"if", `(if #f 1 2)`, `2`},
		{"only #f is false", `(if '() 1 2)`, `1`},
		{"cond", `(cond (#f 1) ((+ 1 1)) (else 3))`, `2`},
		{"cond else", `(cond (#f 1) (else 3))`, `3`},
		{"cond =>", `(cond ((assoc "b" '(("a" . 1) ("b" . 2))) => cdr) (else 0))`, `2`},
		{"case", `(case 2 ((1) 'a) ((2 3) 'b) (else 'c))`, `b`},
		{"case else", `(case 9 ((1) 'a) (else 'c))`, `c`},
		{"and", `(and 1 2)`, `2`},
		{"and stops", `(and #f (error "no"))`, `#f`},
		{"and of nothing", `(and)`, `#t`},
		{"or", `(or #f 2 (error "no"))`, `2`},
		{"or of nothing", `(or)`, `#f`},
		{"when", `(when #t 1 2)`, `2`},
		{"unless", `(unless #f 1 2)`, `2`},
		{"begin", `(begin 1 2)`, `2`},
		{"not", `(not '())`, `#f`},

		{"let", `(define x 1) (let ((x 2) (y x)) (list x y))`, `(2 1)`},
		{"let*", `(let* ((x 2) (y (+ x 1))) y)`, `3`},
		{"let* of a procedure that calls itself", `(let* ((x 1) (f (lambda (n) (if (= n 0) x (f (- n 1)))))) (f 5))`, `1`},
		{"let* evaluates its first value outside", `(define x 1) (let* ((x (+ x 1)) (y x)) (list x y))`, `(2 2)`},
		{"letrec", `(letrec ((even (lambda (n) (if (= n 0) #t (odd (- n 1))))) (odd (lambda (n) (if (= n 0) #f (even (- n 1)))))) (even 10))`, `#t`},
		{"a named let", `(let loop ((i 0) (acc '())) (if (= i 3) (reverse acc) (loop (+ i 1) (cons i acc))))`, `(0 1 2)`},
		{"a loop of many turns", `(let loop ((i 0)) (if (= i 100000) i (loop (+ i 1))))`, `100000`},
		{"do", `(do ((i 0 (+ i 1)) (s "" (string-append s "x"))) ((= i 3) s))`, `xxx`},
		{"do without a step", `(do ((i 0 (+ i 1)) (k 7)) ((= i 2) k))`, `7`},

		{"quasiquote", "(define x 1) (define l '(2 3)) `(a ,x ,@l (b ,(+ x 1)) . c)", `(a 1 2 3 (b 2) . c)`},
		{"a nested quasiquote", "`(a `(b ,(c ,(+ 1 2))))", `(a (quasiquote (b (unquote (c 3)))))`},
		{"quasiquote in a vector", "`#(a ,(+ 1 2))", `#(a 3)`},
		{"macro", "(macro (twice form) `(begin ,(cadr form) ,(cadr form))) (define n 0) (twice (set! n (+ n 1))) n", `2`},
		{"macro of a procedure", "(macro swap (lambda (form) `(list ,(caddr form) ,(cadr form)))) (swap 1 2)", `(2 1)`},
		{"define-macro", "(define-macro (my-if c a b) `(cond (,c ,a) (else ,b))) (my-if #f 1 2)", `2`},
		{"define-macro with the rest", "(define-macro (my-begin . forms) `(begin ,@forms)) (my-begin 1 2 3)", `3`},
		{"cond-expand", `(cond-expand (sandbox 1) ((not sandbox) 2) (else 3))`, `2`},
		{"cond-expand else", `(cond-expand ((or a (and b c)) 1) (else 3))`, `3`},
		{"catch", `(catch 'caught (error "no"))`, `caught`},
		{"catch without an error", `(catch 'caught 1 2)`, `2`},

		{"map", `(map + '(1 2) '(10 20 30))`, `(11 22)`},
		{"for-each", `(define n 0) (for-each (lambda (x) (set! n (+ n x))) '(1 2 3)) n`, `6`},
		{"apply", `(apply + 1 2 '(3 4))`, `10`},
		{"partition", `(partition string? '("a" 1 "b"))`, `((a b) (1))`},
		{"defined?", `(define x 1) (list (defined? 'x) (defined? 'given) (defined? 'car) (defined? 'y))`, `(#t #t #t #f)`},
		{"printing does nothing", `(display "x") (newline) 1`, `1`},

		{"lists", `(list (car '(1 2)) (cdr '(1 2)) (cadr '(1 2)) (caar '((1))) (cddr '(1 2 3)) (caddr '(1 2 3)) (cdar '((1 . 2))))`, `(1 (2) 2 1 (3) 3 2)`},
		{"append", `(append '(1) '(2 3) '() '(4 . 5))`, `(1 2 3 4 . 5)`},
		{"append of nothing", `(append)`, `()`},
		{"length", `(length '(1 2 3))`, `3`},
		{"reverse", `(reverse '(1 2 3))`, `(3 2 1)`},
		{"list-ref and list-tail", `(list (list-ref '(a b c) 1) (list-tail '(a b c) 1))`, `(b (b c))`},
		{"assoc", `(assoc "b" '(("a" . 1) ("b" . 2)))`, `(b . 2)`},
		{"assoc of nothing", `(assoc "c" '(("a" . 1) x))`, `#f`},
		{"assq", `(assq 'b '((a 1) (b 2)))`, `(b 2)`},
		{"member", `(member '(b) '((a) (b) (c)))`, `((b) (c))`},
		{"memq compares by identity", `(memq '(b) '((a) (b)))`, `#f`},
		{"equal?", `(list (equal? '(1 #(2 "x")) '(1 #(2 "x"))) (equal? '(1 2) '(1 3)) (eq? '(1) '(1)) (eq? 'a 'a))`, `(#t #f #f #t)`},
		{"predicates", `(list (null? '()) (pair? '(1)) (atom? 1) (list? '(1 . 2)) (symbol? 'a) (string? "a") (char? #\a) (boolean? #f) (number? 1) (procedure? car) (procedure? (lambda () 1)) (vector? #(1)))`, `(#t #t #t #f #t #t #t #t #t #t #t #t)`},

		{"strings", `(list (string-append "a" "b" "") (string-length "abc") (substring "abcd" 1 3) (substring "abcd" 2))`, `(ab 3 bc cd)`},
		{"characters", `(list (char->integer (string-ref "az" 1)) (char=? #\/ (string-ref "/" 0)) (char-upcase #\a) (char-downcase #\A))`, `(122 #t #\A #\a)`},
		{"comparisons", `(list (string=? "a" "a") (string<? "a" "b") (string>=? "10.15" "10.9") (char<? #\a #\b))`, `(#t #t #f #t)`},
		{"conversions", `(list (string->number "15") (string->number "1f" 16) (string->number "x") (number->string 31 16) (symbol->string 'a) (string->symbol "b") (list->string (string->list "ab")) (string #\a #\b))`, `(15 31 #f 1f a b ab ab)`},
		{"numbers", `(list (+ 1 2 3) (- 5) (- 5 1 1) (* 2 3) (+) (*) (quotient 7 2) (remainder -7 2) (modulo -7 2) (max 1 3) (min 1 3))`, `(6 -5 3 6 0 1 3 -1 1 3 1)`},
		{"order", `(list (< 1 2 3) (< 1 3 2) (= 1 1) (>= 2 2) (zero? 0) (even? 4) (odd? 4) (negative? -1) (positive? 1))`, `(#t #f #t #t #t #t #f #t #t)`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			v, err := eval(t, tt.src)
			if err != nil {
				t.Fatal(err)
			}
			if got := scheme.Text(v); got != tt.want {
				t.Errorf("%s = %s, want %s", tt.src, got, tt.want)
			}
		})
	}
}

func TestEvalRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, src, want string }{
		{"an unknown name", "(list 1\n  x)", "p.sb:2:3: unbound variable: x"},
		{"an unknown procedure", `(f 1)`, "p.sb:1:2: unbound variable: f"},
		{"an unknown name in a procedure", "(define (f)\n x)\n(f)", "p.sb:2:2: unbound variable: x"},
		{"an unknown name in what a macro makes", "(macro (m form) '(g))\n(m)", "p.sb:1:19: unbound variable: g"},
		{"an unknown name in what a macro splices", "(macro (m form) `(list ,@(cdr form)))\n(m 1\n g)", "p.sb:3:2: unbound variable: g"},
		{"set! of an unknown name", `(set! x 1)`, "p.sb:1:7: unbound variable: x"},
		{"a call of what is no procedure", `("a" 1)`, "p.sb:1:1: a cannot be called"},
		{"too few arguments", `(define (f a b) a) (f 1)`, "p.sb:1:20: f: 1 arguments, but it takes 2"},
		{"too many arguments", `(define (f a) a) (f 1 2)`, "p.sb:1:18: f: 2 arguments, but it takes 1"},
		{"too few for a builtin", `(car)`, "p.sb:1:1: car: 0 arguments are too few"},
		{"too many for a builtin", `(car 1 2)`, "p.sb:1:1: car: 2 arguments are too many"},
		{"a wrong type", `(string-append "a" #f)`, "p.sb:1:1: string-append cannot take (a #f)"},
		{"an index", `(string-ref "a" 1)`, "p.sb:1:1: string-ref cannot take (a 1)"},
		{"a division by zero", `(modulo 1 0)`, "p.sb:1:1: modulo cannot take (1 0)"},
		{"an empty list", `(car '())`, "p.sb:1:1: car cannot take (())"},
		{"an error of the profile's", `(error "no such" 'thing 1)`, "p.sb:1:1: no such thing 1"},
		{"a malformed if", `(if 1)`, "p.sb:1:1: malformed if"},
		{"a malformed let", `(let ((1 2)) 3)`, "p.sb:1:1: malformed let"},
		{"a malformed define", `(define 1 2)`, "p.sb:1:1: malformed define"},
		{"a malformed lambda", `(lambda (1) 2)`, "p.sb:1:1: malformed lambda"},
		{"a call with a dot", `(+ 1 . 2)`, "p.sb:1:1: the call is no proper list"},
		{"a list that cannot be spliced", "`(a ,@1)", "p.sb:1:7: 1 is no list to splice"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := eval(t, tt.src)
			if err == nil || err.Error() != tt.want {
				t.Errorf("error %v, want %s", err, tt.want)
			}
			if errors.Is(err, scheme.ErrLimit) {
				t.Error("it counts as a limit")
			}
		})
	}
}

// What a hostile profile tries ends in an error, soon.
func TestLimits(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, src, want string }{
		{"an endless loop", `(let loop () (loop))`, "p.sb:1:14: the profile takes more than 4000000 steps to evaluate"},
		{"an endless do", `(do () (#f))`, "p.sb:1:9: the profile takes more than 4000000 steps to evaluate"},
		{"endless recursion", `(define (f) (+ 1 (f))) (f)`, "p.sb:1:19: calls nest deeper than 4000"},
		{"an endless macro", `(macro (m form) '(m)) (m)`, "p.sb:1:17: the profile takes more than 4000000 steps to evaluate"},
		{"a handler", `(catch 1 (let loop () (loop)))`, "p.sb:1:23: the profile takes more than 4000000 steps to evaluate"},
		{"a growing list", `(define l '(1)) (let loop () (set! l (append l l)) (loop))`, "p.sb:1:38: the profile takes more than 4000000 steps to evaluate"},
		{"a doubled tree", `(define l '(1)) (do ((i 0 (+ i 1))) ((= i 60)) (set! l (list l l))) (equal? l (list (car l) (cadr l)))`, "p.sb:1:69: the profile takes more than 4000000 steps to evaluate"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			start := time.Now()
			_, err := eval(t, tt.src)
			if err == nil || err.Error() != tt.want || !errors.Is(err, scheme.ErrLimit) {
				t.Errorf("error %v, want %s", err, tt.want)
			}
			if d := time.Since(start); d > 20*time.Second {
				t.Errorf("it took %v", d)
			}
		})
	}
}

// A string that doubles meets the bound on its length first.
func TestLongStrings(t *testing.T) {
	t.Parallel()
	_, err := eval(t, `(define s "abcdefgh") (let loop () (set! s (string-append s s)) (loop))`)
	if err == nil {
		t.Fatal("no error")
	}
	if v, _ := eval(t, `(catch (string-length "") (define s "abcdefgh") (let loop () (set! s (string-append s s)) (loop)))`); v != int64(0) {
		t.Errorf("value %v", v)
	}
}

// FuzzEval holds that no text makes the evaluator panic.
func FuzzEval(f *testing.F) {
	for _, s := range []string{
		"(define (f . a) `(x ,@a)) (f 1 2)", `(let loop ((i 0)) (if (< i 3) (loop (+ i 1))))`, `(macro (m f) (cdr f)) (m list 1)`,
		`(map car '((1)))`, `(apply max '(1 2))`, `(substring "abc" 1 2)`, `(vector-ref #(1) 0)`, `(catch 1 (car 1))`, `(cond-expand ((not x) 1))`,
		`(do ((i 0 (+ i 1))) ((= i 2)) i)`, `(case 1 ((1) 2))`, `(list-tail '(1 2) 1)`, `(letrec ((a 1)) a)`, `(quotient 1 -1)`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(_ *testing.T, src string) {
		ns, err := syntax.Parse("", []byte(src))
		if err != nil {
			return
		}
		in := scheme.New(func(scheme.Symbol) (scheme.Value, bool) { return nil, false })
		for _, n := range ns {
			v, err := in.Eval(scheme.FromSyntax(n), n.Start(), nil)
			if err != nil {
				return
			}
			scheme.Text(v)
		}
	})
}

// What costs time costs steps, so that the limit is met soon.
func TestCosts(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, src string }{
		{"lengths", `(let grow ((l '(1))) (if (< (length l) 60000) (grow (append l l)) (let loop () (length l) (loop))))`},
		{"map", `(let grow ((l '((1)))) (if (< (length l) 60000) (grow (append l l)) (let loop () (map car l) (loop))))`},
		{"comparisons of strings", `(let grow ((s "abcdefgh")) (if (< (string-length s) 500000) (grow (string-append s s)) (let loop () (string=? s (string-append s "")) (loop))))`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if _, err := eval(t, tt.src); !errors.Is(err, scheme.ErrLimit) { // or it takes forever
				t.Errorf("error %v", err)
			}
		})
	}
}
