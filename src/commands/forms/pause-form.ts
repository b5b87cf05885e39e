/** The form of `pause`, which stops much at once: a word before it, and why. */
import { givenReason, reasonField } from './device-form.ts';
import type { Form } from './form.ts';

const WARNING =
  'No changes are sent, not even approved ones, until an admin resumes them. The approvals channel is notified.';

export const pauseForm: Form = {
  open: async () => {
    const fields = [
      { kind: 'words', text: WARNING } as const,
      reasonField(null, 'Shown to everyone whose request is refused.'),
    ];
    const form = { command: 'pause', title: 'Pause all changes', submit: 'Pause', fields, context: null };
    return { kind: 'form', form };
  },
  read: (values) => ({ kind: 'input', input: { do: 'on', reason: givenReason(values) } }),
};
