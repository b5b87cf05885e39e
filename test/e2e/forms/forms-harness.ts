/** Forms as a person fills them in: opened by a command, with searching menus, and their answer. */
import { expect } from 'vitest';
import type { SeenMessage } from '../../../src/sandbox/contracts/people.ts';
import type { SlackViewAnswer } from '../../harness/client.ts';
import { until } from '../../harness/until.ts';
import { actionOf, openModalOf } from '../harness/modals.ts';
import { messageText, type PersonName, type SandboxPeople } from '../harness/sandbox-people.ts';

type Option = { readonly text: { readonly text: string }; readonly value: string };

/** `people` is read at each use: the sandbox starts after the tests were declared. */
export function createFormUser(people: () => SandboxPeople) {
  /** Types an incomplete command and returns the form that opens. */
  const opens = async (
    user: PersonName,
    text: string,
    title: string,
    channel = 'ops',
  ): Promise<SlackViewAnswer> => {
    expect(await people().command({ user, channel, command: '/fleet', text })).toMatchObject({ ok: true });
    return openModalOf(people(), user, title);
  };
  /** The options that its menu offers for these letters. */
  const offered = async (user: PersonName, form: SlackViewAnswer, field: string, value: string) => {
    const action_id = actionOf(form, field);
    const { options = [] } = await people().suggest({
      user,
      view_id: form.id,
      block_id: field,
      action_id,
      value,
    });
    return options as readonly Option[];
  };
  /** Enters a value in a live field of the form. */
  const enters = async (
    user: PersonName,
    form: SlackViewAnswer,
    field: string,
    value: unknown,
  ): Promise<void> => {
    const action_id = actionOf(form, field);
    expect(await people().click({ user, view_id: form.id, block_id: field, action_id, value })).toMatchObject(
      {
        ok: true,
      },
    );
  };
  /** The private answer here that contains this text. */
  const answer = (user: PersonName, part: string, channel = 'ops'): Promise<SeenMessage> =>
    until(
      async () =>
        (await people().messages(channel, user)).find(
          (one) => (one.ephemeral || channel.startsWith('@')) && messageText(one).includes(part),
        ),
      { what: `“${part}” told to ${user}` },
    );
  /** Number of open windows. */
  const modals = async (user: PersonName) => (await people().views(user)).modals.length;
  return { opens, offered, enters, told: answer, modals };
}
