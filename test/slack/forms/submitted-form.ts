/** A form of one field as submitted. */
import { channelId, personId } from '../../../src/lib/ids.ts';
import type { FormSubmission } from '../../../src/slack/forms/form-submissions.ts';

export const KEY = 'form:V1:h1';
const text = (words: string) => ({ type: 'plain_text', text: words }) as const;
/** A submission with this name entered. */
export const submittedPayload = (name: string, command = 'act'): FormSubmission => ({
  caller: { person: personId('U0ANN'), channel: channelId('C0OPS') },
  command,
  closes: false,
  input: { name: [name] },
  used: {
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
    values: new Map([['name', [name]]]),
  },
});
