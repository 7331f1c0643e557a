/** What of a home directory no command sees: keys, and what logs in elsewhere. */
import { join } from 'node:path';

/** Below the home. */
const SECRET = [
  ...['.ssh', '.gnupg', '.aws', '.azure', '.kube', '.docker', '.password-store', '.vault-token'],
  ...['.netrc', '.npmrc', '.pypirc', '.pgpass', '.my.cnf', '.git-credentials'],
  ...['.config/gh', '.config/glab-cli', '.config/gcloud', '.config/hub', '.config/git/credentials'],
  ...['.local/share/keyrings', '.cargo/credentials', '.cargo/credentials.toml', '.m2/settings.xml'],
  ...['.terraform.d/credentials.tfrc.json', '.bash_history', '.zsh_history', '.python_history'],
  ...['.mozilla', '.config/google-chrome', '.config/chromium', '.claude.json', '.claude/.credentials.json'],
];

/** Absolute, whether they exist or not. */
export function secretPlaces(home: string): string[] {
  return SECRET.map((path) => join(home, path));
}
