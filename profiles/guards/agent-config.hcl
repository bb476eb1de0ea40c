# Settings of AI agents: they name tools, hooks and permissions of the next run,
# which may have no sandbox.
version = 1
name    = "agent-config"

filesystem {
  deny "settings" {
    paths = [
      "**/.claude", "**/.claude.json", "**/.codex", "**/.agents", "**/.cursor", "**/.cursorrules", "**/.gemini", "**/.opencode", "**/.windsurf",
      "**/.continue", "**/.roo", "**/.clinerules", "**/.aider.conf.yml", "**/.mcp.json", "**/.goose", "**/.amp", "**/.kiro",
    ]
    except = ["**/node_modules", "**/.cache", "**/.venv", "**/vendor"]
    access = "write"
    sweep  = "quarantine"
    reason = "the next run of an agent obeys it"
  }
}
