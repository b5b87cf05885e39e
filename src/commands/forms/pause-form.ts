/** The form of `pause`, which stops much at once: a word before it, and why. */
import { givenReason, reasonField } from './device-form.ts';
import type { Form } from './form.ts';

const WARNING =
  'Nothing is changed any more, whoever asks and whatever was approved, until an admin ends the pause. It is announced in the channel for approvals.';

export const pauseForm: Form = {
  open: async () => {
    const fields = [
      { kind: 'words', text: WARNING } as const,
      reasonField(null, 'Everybody who is refused reads it.'),
    ];
    const form = { command: 'pause', title: 'Pause all changes', submit: 'Pause', fields, context: null };
    return { kind: 'form', form };
  },
  read: (values) => ({ kind: 'input', input: { do: 'on', reason: givenReason(values) } }),
};
