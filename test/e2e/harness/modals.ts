/** Windows as a person uses them: opened, searched, filled in, submitted, and the content of the topmost. */
import type { SlackViewAnswer } from '../../harness/client.ts';
import { until } from '../../harness/until.ts';
import type { PersonName, SandboxPeople } from './sandbox-people.ts';

/** Entered values by field. */
export type ModalValues = Readonly<Record<string, unknown>>;

/** The topmost window, as soon as it contains this text. */
export function openModalOf(people: SandboxPeople, user: PersonName, part: string): Promise<SlackViewAnswer> {
  return until(
    async () => {
      const top = (await people.views(user)).modals.at(-1);
      return top !== undefined && JSON.stringify([top['title'], top.blocks]).includes(part) ? top : null;
    },
    { what: `“${part}” in a window of ${user}` },
  );
}

/** Submits the form with these values. */
export function submitModal(
  people: SandboxPeople,
  user: PersonName,
  form: SlackViewAnswer,
  values: ModalValues,
) {
  return people.submit({
    user,
    view_id: form.id,
    values: Object.fromEntries(
      Object.entries(values).map(([field, value]) => [field, { [actionOf(form, field)]: value }]),
    ),
  });
}

/** The action id of the element in this field. */
export function actionOf({ blocks }: SlackViewAnswer, field: string): string {
  const block = blocks.find((one) => (one as { readonly block_id?: string }).block_id === field);
  if (block === undefined) throw new Error(`no field ${field} in ${JSON.stringify(blocks)}`);
  return (block as { readonly element: { readonly action_id: string } }).element.action_id;
}
