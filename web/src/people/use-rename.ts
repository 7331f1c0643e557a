import type { Me } from '@tscodex/shared/workspace';
import { useServices } from '../state/services.ts';
import { useAction } from '../ui/use-action.ts';

/** Says what the others call this person from now on. The page knows it with the answer, the others' pages soon. */
export function useRename() {
  const { api, people } = useServices();
  const { busy, problem, run } = useAction();
  const rename = (name: string) =>
    run(async () => people.setState({ me: await api.json<Me>('PUT', 'api/me', { name }) }));
  return { busy, problem, rename };
}
