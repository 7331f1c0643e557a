/** The environment of what the model runs: a list of what may pass, so that no secret of the server is on it. */

const PASSED = new Set([
  ...['HOME', 'PATH', 'SHELL', 'USER', 'LOGNAME', 'LANG', 'LANGUAGE', 'TZ', 'TMPDIR'],
  ...['XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME'],
  // where toolchains live
  ...['JAVA_HOME', 'GOPATH', 'GOROOT', 'CARGO_HOME', 'RUSTUP_HOME', 'NVM_DIR', 'PNPM_HOME', 'PYENV_ROOT'],
  ...['VIRTUAL_ENV', 'CONDA_PREFIX', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS'],
]);

/** Programs that would wait for a person print instead: pagers to the end, editors what they were to edit. */
const UNATTENDED = {
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  EDITOR: 'cat',
  VISUAL: 'cat',
  GIT_EDITOR: 'cat',
};

/** The name of the variable that marks what a server has started, for the sweep after a crash. */
export const MARKER_VARIABLE = 'TSCODEX_EXEC';

/** The part that is the same for every command. */
export function commandEnvironment(
  server: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(server))
    if (value !== undefined && mayPass(name, value)) passed[name] = value;
  // without a locale many programs refuse or mangle what is not ASCII
  return { LANG: 'C.UTF-8', ...passed, ...UNATTENDED };
}

function mayPass(name: string, value: string): boolean {
  // the address of a proxy may hold a password
  if (/^(https?|all|no)_proxy$/i.test(name)) return !value.includes('@');
  return PASSED.has(name) || /^LC_[A-Z]+$/.test(name);
}

/** What depends on the single command. */
export function withMarker(
  env: Record<string, string>,
  marker: string,
  tty: boolean,
): Record<string, string> {
  return { ...env, TERM: tty ? 'xterm-256color' : 'dumb', [MARKER_VARIABLE]: marker };
}
