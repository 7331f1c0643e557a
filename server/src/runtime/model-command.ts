/** `/model`: which there are, or another one, and how hard it thinks. */
import type { CommandHost, CommandReport } from './commands.ts';

type Host = Pick<CommandHost, 'state' | 'change' | 'efforts' | 'listModels'>;

/** Throws `session.busy`, `model.effort`, what the provider says. */
export async function modelCommand(argument: string, host: Host, by: string | null): Promise<CommandReport> {
  const [asked, effort] = argument.split(/\s+/);
  if (!asked) return overview(host);
  await host.change({ model: asked, ...(effort === undefined ? {} : { effort }) }, by);
  const { model, effort: now } = host.state();
  const text = `Switched to ${model}${now === null ? '' : `, effort ${now}`}.`;
  return {
    text,
    details: { ...(model === null ? {} : { model }), ...(now === null ? {} : { effort: now }) },
  };
}

async function overview(host: Host): Promise<CommandReport> {
  const available = (await host.listModels()).join(', ');
  const { model, effort } = host.state();
  const efforts = (model === null ? undefined : host.efforts(model))?.join(', ') ?? '';
  const now = [model ?? 'none', effort].filter(Boolean).join(' · ');
  const lines = [
    `Current model: ${now}`,
    ...(efforts === '' ? [] : [`Efforts: ${efforts}`]),
    `Available: ${available || 'the provider lists none'}`,
  ];
  return { text: lines.join('\n'), details: { now, efforts, available } };
}
