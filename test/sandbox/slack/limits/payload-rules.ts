/** Rules of whole messages and of views, from the documentation. */
import { actions, DOCS, home, input, modal, open, plain, post, publish } from './limit-cases.ts';
import { MORE } from './limits-harness.ts';
import { inModal, type RuleCase } from './rule-cases.ts';

const section = (change: object = { text: plain(1) }) => ({ type: 'section', ...change });
const text = (change: object = {}) => input({ type: 'plain_text_input', ...change });
const amount = (min_value: string, max_value: string) =>
  input({ type: 'number_input', is_decimal_allowed: false, min_value, max_value });
const metadata = (value: unknown) => post({ text: 'x', metadata: value });
const METADATA = 'https://docs.slack.dev/messaging/message-metadata';

const MESSAGES: readonly RuleCase[] = [
  {
    row: 'markdown_text',
    what: 'markdown_text alone',
    source: DOCS.method('chat.postMessage'),
    taken: post({ markdown_text: 'x' }),
    refused: post({ markdown_text: 'x', text: 'x' }),
    word: 'markdown_text_conflict',
    at: null,
  },
  {
    row: 'beyond the notes',
    what: 'metadata that is an object',
    source: METADATA,
    taken: metadata({ event_type: 'seen', event_payload: { id: 1 } }),
    refused: metadata([]),
    word: 'invalid_metadata_format',
    at: null,
  },
  {
    row: 'beyond the notes',
    what: 'metadata with a type and a payload',
    source: METADATA,
    taken: metadata({ event_type: 'seen', event_payload: {} }),
    refused: metadata({ event_type: 'seen' }),
    word: 'invalid_metadata_schema',
    at: null,
  },
  {
    row: 'beyond the notes',
    what: 'metadata of moderate size',
    source: METADATA,
    taken: metadata({ event_type: 'seen', event_payload: { id: 'x'.repeat(1_000) } }),
    // The documentation has the error code but no number.
    refused: metadata({ event_type: 'seen', event_payload: { id: 'x'.repeat(100_000) } }),
    word: 'metadata_too_large',
    at: null,
  },
];

const VIEWS: readonly RuleCase[] = [
  {
    row: 'title / submit / close',
    what: 'a submit button where there is an input',
    source: DOCS.modal,
    taken: open(modal([section()], { submit: undefined })),
    refused: open(modal([section(), text()], { submit: undefined })),
    word: 'invalid_arguments',
    // Slack's own pointer, which points to nothing
    at: '/view/blocks/1/input',
  },
  {
    row: 'title / submit / close',
    what: 'a submit button on a modal, and none on the Home, which can have a title',
    source: 'https://docs.slack.dev/interactivity/adding-interactive-modals-to-home-tab',
    taken: publish(home([section()], { title: plain(24) })),
    refused: publish(home([section()], { submit: plain(1) })),
    word: 'invalid_arguments',
    at: '/view',
  },
  {
    row: 'beyond the notes',
    what: 'no submit_disabled, which is for configuration modals',
    source: 'https://github.com/nicklambourne/slackblocks/issues/36',
    taken: open(modal([section()])),
    refused: open(modal([section()], { submit_disabled: true })),
    word: 'invalid_arguments',
    at: '/view',
  },
  {
    row: 'external_id',
    what: 'an external_id of its own',
    source: DOCS.modal,
    taken: open(modal([actions(MORE)], { external_id: 'first' })),
    refused: [
      ...open(modal([actions(MORE)], { external_id: 'second' })),
      { method: 'views.push', args: { view: modal([section()], { external_id: 'second' }) } },
    ],
    word: 'duplicate_external_id',
    at: null,
  },
  inModal(
    'actions of inputs that are no files',
    DOCS.block('input'),
    [{ ...text(), dispatch_action: true }, input({ type: 'file_input' }, { dispatch_action: true })],
    '/element/type',
  ),
  inModal(
    'a smallest number below the largest',
    DOCS.element('number-input'),
    [amount('1', '10'), amount('10', '9')],
    '/element/min_value',
  ),
  inModal(
    'a filter that filters',
    DOCS.object('conversation-filter'),
    [
      input({ type: 'conversations_select', filter: { exclude_bot_users: true } }),
      input({ type: 'conversations_select', filter: {} }),
    ],
    '/element/filter',
  ),
  {
    row: 'beyond the notes',
    what: 'one element with the focus',
    source: DOCS.element('plain-text-input'),
    taken: open(modal([text({ focus_on_load: true }), text({ focus_on_load: false })])),
    refused: open(modal([text({ focus_on_load: true }), text({ focus_on_load: true })])),
    word: 'invalid_arguments',
    at: '/view/blocks/1/element/focus_on_load',
  },
];

export const PAYLOAD_RULES: readonly RuleCase[] = [...MESSAGES, ...VIEWS];
