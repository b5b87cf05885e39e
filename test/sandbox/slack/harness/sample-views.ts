/** Views as a bot would send them. */
import type { ModalView } from '@slack/types';

const plain = (text: string) => ({ type: 'plain_text' as const, text });

/** One question with a required answer. */
export function aModal(change: Partial<ModalView> = {}): ModalView {
  return {
    type: 'modal',
    callback_id: 'ask',
    title: plain('Reboot'),
    submit: plain('Ask'),
    blocks: [
      {
        type: 'input',
        block_id: 'why',
        label: plain('Reason'),
        element: { type: 'plain_text_input', action_id: 'reason', max_length: 100 },
      },
    ],
    ...change,
  };
}

/** A select whose options come from the bot. */
export function anExternalModal(): ModalView {
  return aModal({
    callback_id: 'pick',
    blocks: [
      {
        type: 'input',
        block_id: 'which',
        label: plain('Device'),
        element: { type: 'external_select', action_id: 'device', min_query_length: 1 },
      },
    ],
  });
}
