/** The browser's notifications: whether it shows them, asking it to, and showing one. */

/**
 * `ask`: nobody has asked yet. `insecure`: browsers show none over plain HTTP from another machine. `missing`: this
 * browser shows none for pages.
 */
export type Ability = 'granted' | 'ask' | 'denied' | 'insecure' | 'missing';

type Notices = typeof Notification | undefined;

export function abilityOf(notices: Notices, isSecure: boolean): Ability {
  if (!isSecure) return 'insecure';
  if (!notices) return 'missing';
  return notices.permission === 'default' ? 'ask' : notices.permission;
}

/** Called for a click of the person alone: browsers hold it against a page otherwise. */
export async function askForNotices(notices: Notices, isSecure: boolean): Promise<Ability> {
  const ability = abilityOf(notices, isSecure);
  if (ability !== 'ask' || !notices) return ability;
  await notices.requestPermission();
  return abilityOf(notices, isSecure);
}

export type Notice = {
  title: string;
  body: string;
  /** One that is shown already under the same is replaced. */
  tag: string;
  onClick: () => void;
};

/** False where the browser cannot: some phones show notifications of installed workers only. */
export function showNotice(notices: Notices, { title, body, tag, onClick }: Notice): boolean {
  if (notices?.permission !== 'granted') return false;
  try {
    const shown = new notices(title, { body, tag });
    shown.onclick = () => {
      window.focus();
      shown.close();
      onClick();
    };
    return true;
  } catch {
    return false; // `new Notification` is a TypeError on Android
  }
}
