/**
 * The environment of what the model runs: Codex's `[shell_environment_policy]` over what the server, or a login
 * shell, has. By default a list of what may pass, so that no secret of the server is on it.
 */
import type { EnvironmentPolicy } from '../base/config/config.ts';

/** Where variables come from. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** What `inherit = "core"` passes. */
const CORE = [
  ...['HOME', 'PATH', 'SHELL', 'USER', 'LOGNAME', 'LANG', 'LANGUAGE', 'LC_*', 'TZ', 'TMPDIR'],
  ...['XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'],
  // where toolchains live
  ...['JAVA_HOME', 'GOPATH', 'GOROOT', 'CARGO_HOME', 'RUSTUP_HOME', 'NVM_DIR', 'PNPM_HOME', 'PYENV_ROOT'],
  ...['VIRTUAL_ENV', 'CONDA_PREFIX', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS'],
];

/** What looks like a secret by its name. */
const SECRETS = ['*KEY*', '*SECRET*', '*TOKEN*', '*PASS*', '*CRED*', '*AUTH*'];

/** What never passes by inheritance, whatever the policy: it can only be set. */
const NEVER = [
  // ways to agents, daemons and terminals that act for the person who started the server
  ...['SSH_AUTH_SOCK', 'SSH_AGENT_PID', 'SSH_ASKPASS', 'SUDO_ASKPASS', 'GPG_AGENT_INFO', 'GPG_TTY', 'DBUS_*'],
  ...['XDG_RUNTIME_DIR', 'XDG_SESSION_*', 'TMUX', 'TMUX_*', 'STY', 'VSCODE_*', 'NVIM', 'KITTY_*'],
  ...['DISPLAY', 'WAYLAND_*', 'XAUTHORITY', 'ICEAUTHORITY', 'SESSION_MANAGER'],
  // what makes programs run, or be, something else than their command line says
  ...['BASH_ENV', 'ENV', 'BASH_FUNC_*', 'SHELLOPTS', 'BASHOPTS', 'PROMPT_COMMAND', 'LD_PRELOAD', 'LD_AUDIT'],
  ...['NODE_OPTIONS', 'PERL5OPT', 'RUBYOPT', 'PYTHONSTARTUP', 'GIT_*'],
  // the shell's own, true of the place it ran in, and this server's
  ...['PWD', 'OLDPWD', 'SHLVL', '_', 'TERM', 'TSCODEX_*'],
];

/** Programs that would wait for a person print instead, or fail: pagers to the end, editors what they were to edit. */
const UNATTENDED = {
  ...{
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    MANPAGER: 'cat',
    SYSTEMD_PAGER: 'cat',
    GH_PAGER: 'cat',
    AWS_PAGER: 'cat',
  },
  ...{ EDITOR: 'cat', VISUAL: 'cat', GIT_EDITOR: 'cat', GIT_SEQUENCE_EDITOR: 'cat' },
  // passwords: an empty GIT_ASKPASS keeps git from any other asker
  ...{ GIT_TERMINAL_PROMPT: '0', GIT_ASKPASS: '', SSH_ASKPASS_REQUIRE: 'never', GCM_INTERACTIVE: 'never' },
};

/** The name of the variable that marks what a server has started, for the sweep after a crash. */
export const MARKER_VARIABLE = 'TSCODEX_EXEC';

const PLAIN: EnvironmentPolicy = { inherit: 'core', secrets: false, exclude: [], set: {}, includeOnly: [] };

/**
 * The part that is the same for every command. In Codex's order: what is inherited, without what looks like a
 * secret, without `exclude`, with `set`, and of that `includeOnly`. What keeps programs from waiting for a person
 * is added in any case; only `set` overrides it.
 */
export function commandEnvironment(
  from: Variables,
  policy: EnvironmentPolicy = PLAIN,
): Record<string, string> {
  const inherited = chosen(from, (name, value) => isInherited(name, value, policy));
  const included = (name: string) => !policy.includeOnly.length || matchesAny(policy.includeOnly, name);
  // without a locale many programs refuse or mangle what is not ASCII
  return { LANG: 'C.UTF-8', ...chosen(inherited, included), ...UNATTENDED, ...chosen(policy.set, included) };
}

function isInherited(name: string, value: string, policy: EnvironmentPolicy): boolean {
  if (policy.inherit === 'none' || matchesAny(NEVER, name)) return false;
  if (policy.inherit === 'core' && !matchesAny(CORE, name)) return false;
  if (!policy.secrets && looksSecret(name, value)) return false;
  return !matchesAny(policy.exclude, name);
}

function looksSecret(name: string, value: string): boolean {
  // the address of a proxy may hold a password
  return matchesAny(SECRETS, name) || (/_proxy$/i.test(name) && value.includes('@'));
}

/** Patterns are whole names in any case, with `*` for any characters and `?` for one. */
function matchesAny(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => {
    const source = pattern
      .replace(/[^\w*?]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.');
    return new RegExp(`^${source}$`, 'is').test(name);
  });
}

function chosen(from: Variables, keep: (name: string, value: string) => boolean): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(from))
    if (value !== undefined && keep(name, value)) kept[name] = value;
  return kept;
}

/** What depends on the single command. */
export function withMarker(
  env: Record<string, string>,
  marker: string,
  tty: boolean,
): Record<string, string> {
  return { ...env, TERM: tty ? 'xterm-256color' : 'dumb', [MARKER_VARIABLE]: marker };
}
