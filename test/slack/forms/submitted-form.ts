/** A form of one field as submitted. */
import { channelId, personId } from '../../../src/lib/ids.ts';
import type { Interaction } from '../../../src/slack/interactions/inbox.ts';

export const KEY = 'form:V1:h1';
const text = (words: string) => ({ type: 'plain_text', text: words }) as const;
/** A submission with this name entered. */
export const submittedForm = (name: string, command = 'act'): Interaction => ({
  kind: 'command',
  caller: { person: personId('U0ANN'), channel: channelId('C0OPS') },
  name: command,
  input: { name: [name] },
  form: {
    closes: false,
    viewId: 'V1',
    depth: 1,
    filled: {
      type: 'modal',
      callback_id: 'form',
      private_metadata: '{}',
      title: text('Title'),
      submit: text('Go'),
      blocks: [
        {
          type: 'input',
          block_id: 'name',
          label: text('Name'),
          element: { type: 'plain_text_input', action_id: 'field', initial_value: name },
        },
      ],
    },
    values: [['name', [name]]],
  },
});
