package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/sandboxc/sbc/target"
)

// bundleReport is the file of a bundle that says what it is. Its list of files
// is what makes a directory an earlier bundle.
const bundleReport = "report.json"

// writeBundle writes a directory with one folder a target and the report, in
// one step. It replaces an empty directory and an earlier bundle.
func writeBundle(dir string, l *loaded, all []lowered) error {
	dir = filepath.Clean(dir)
	if err := replaceable(dir); err != nil {
		return misuse("name a new directory, or remove the old one", "cannot write the bundle: %v", err)
	}
	files := []target.BundleFile{}
	var names []string
	for _, x := range all {
		fs, err := x.artifact.Bundle()
		if err != nil {
			return &fault{status: exitInternal, text: fmt.Sprintf("internal error: cannot make the bundle for %s: %v; please report", x.judgement.Target, err)}
		}
		for _, f := range fs {
			f.Name = path.Join(x.judgement.Target, f.Name)
			files = append(files, f)
			names = append(names, f.Name)
		}
	}
	report, err := encodeReport(l, all, names)
	if err != nil {
		return err
	}
	files = append(files, target.BundleFile{Name: bundleReport, Data: report, Mode: 0o644})
	if err := swapDir(dir, files); err != nil {
		return misuse("", "cannot write the bundle: %v", err)
	}
	return nil
}

// replaceable reports why a directory must be left alone: it holds something
// that no bundle of ours put there.
func replaceable(dir string) error {
	switch info, err := os.Lstat(dir); {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%q is not a directory", dir)
	}
	ours := map[string]bool{bundleReport: true}
	if text, err := readFile(filepath.Join(dir, bundleReport)); err == nil {
		var r struct {
			Version int      `json:"sbc_reports"`
			Files   []string `json:"files"`
		}
		if json.Unmarshal(text, &r) == nil && r.Version == reportVersion {
			for _, f := range r.Files {
				ours[f] = true
			}
		}
	}
	return filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		if !ours[filepath.ToSlash(rel)] || len(ours) == 1 {
			return fmt.Errorf("%q holds %q, which is not of a bundle", dir, rel)
		}
		return nil
	})
}

// swapDir makes a directory with the files and puts it in place of dir.
func swapDir(dir string, files []target.BundleFile) (err error) {
	fresh, old := besides(dir), besides(dir)
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(fresh))
		}
	}()
	for _, f := range files {
		name := filepath.Join(fresh, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil { //nolint:gosec // G301: a product for everyone
			return err
		}
		if err := os.WriteFile(name, f.Data, os.FileMode(f.Mode)); err != nil {
			return err
		}
	}
	if err := os.Rename(dir, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(fresh, dir); err != nil {
		return errors.Join(err, os.Rename(old, dir))
	}
	return os.RemoveAll(old)
}
