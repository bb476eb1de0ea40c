package sbpl

import (
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/sandboxc/sbc/verify/sbpl/scheme"
	"github.com/sandboxc/sbc/verify/sbpl/syntax"
)

// importFile reads another profile in place. A relative name is looked up in
// the directories of the search, an absolute one is taken as it is.
func (r *reader) importFile(at syntax.Pos, args []scheme.Value) (scheme.Value, error) {
	name, ok := args[0].(string)
	if !ok {
		return nil, scheme.Errorf(at, "import wants a string, not %s", scheme.Text(args[0]))
	}
	if r.imports == MaxImports {
		return nil, scheme.Errorf(at, "imports nest deeper than %d", MaxImports)
	}
	candidates := []string{name}
	if name != "" && !path.IsAbs(name) {
		dirs := r.options.Search
		if dir, ok := r.options.Params["IMPORT_DIR"]; ok {
			dirs = []string{dir}
		} else if dirs == nil {
			dirs = SystemSearch()
		}
		candidates = candidates[:0]
		for _, dir := range dirs {
			candidates = append(candidates, path.Join(dir, name))
		}
	}
	for _, c := range candidates {
		src, found, err := r.readFile(c)
		if err != nil {
			return nil, scheme.Errorf(at, "unable to open %s: %v", name, err)
		}
		if !found {
			continue
		}
		r.imports++
		err = r.load(c, src)
		r.imports--
		return scheme.Void{}, err
	}
	return nil, scheme.Errorf(at, "unable to open %s: not found in %s", name, strings.Join(candidates, ", "))
}

// readFile reads a regular file of at most syntax.MaxSize bytes.
func (r *reader) readFile(name string) (src []byte, found bool, err error) {
	inside := strings.TrimPrefix(path.Clean("/"+name), "/")
	if r.options.Files == nil || inside == "" {
		return nil, false, nil
	}
	if info, err := fs.Stat(r.options.Files, inside); err != nil || !info.Mode().IsRegular() {
		return nil, false, nil //nolint:nilerr // what cannot be looked at is looked for in the next directory
	}
	f, err := r.options.Files.Open(inside)
	if err != nil {
		return nil, false, err
	}
	src, err = io.ReadAll(io.LimitReader(f, syntax.MaxSize+1))
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return src, true, err
}
