/** Limits of elements and their objects, from the documentation. */
import {
  actions,
  address,
  button,
  DOCS,
  inMessage,
  type LimitCase,
  long,
  many,
  option,
  plain,
} from './limit-cases.ts';

const select = (change: object) => actions({ type: 'static_select', action_id: 'a', ...change });
const choose = (change: object) => select({ options: [option(0, change)] });
const groups = (count: number, size = 1) =>
  many(count, () => ({ label: plain(1), options: many(size, (index) => option(index)) }));
const choices = (type: string, count: number) =>
  actions({ type, action_id: 'a', options: many(count, (index) => option(index)) });
const confirming = (change: object) =>
  actions(
    button({ confirm: { title: plain(1), text: plain(1), confirm: plain(1), deny: plain(1), ...change } }),
  );
const feedback = (change: object) => ({
  type: 'context_actions',
  elements: [
    {
      type: 'feedback_buttons',
      action_id: 'a',
      positive_button: { text: plain(1), value: 'y', ...change },
      negative_button: { text: plain(1), value: 'n' },
    },
  ],
});

const workflow = (change: object) =>
  actions({
    type: 'workflow_button',
    action_id: 'a',
    text: plain(1),
    workflow: { trigger: { url: 'https://slack.com/shortcuts/Ft0123ABC456/321' } },
    ...change,
  });

export const ELEMENT_LIMITS: readonly LimitCase[] = [
  ...inMessage(
    'button',
    DOCS.element('button'),
    {
      what: 'text of a button',
      least: 1,
      most: 75,
      make: (n) => actions(button({ text: plain(n) })),
      at: '/elements/0/text/text',
    },
    {
      what: 'value of a button',
      most: 2_000,
      make: (n) => actions(button({ value: long(n) })),
      at: '/elements/0/value',
    },
    {
      what: 'url of a button',
      most: 3_000,
      make: (n) => actions(button({ url: address(n) })),
      at: '/elements/0/url',
    },
    {
      what: 'accessibility_label of a button',
      most: 75,
      make: (n) => actions(button({ accessibility_label: long(n) })),
      at: '/elements/0/accessibility_label',
    },
    {
      what: 'agent_prompt of a button',
      most: 4_000,
      make: (n) => actions(button({ agent_prompt: long(n) })),
      at: '/elements/0/agent_prompt',
    },
  ),
  ...inMessage(
    'beyond the notes',
    DOCS.element('feedback-buttons'),
    {
      what: 'text of a feedback button',
      least: 1,
      most: 75,
      make: (n) => feedback({ text: plain(n) }),
      at: '/elements/0/positive_button/text/text',
    },
    {
      what: 'value of a feedback button',
      most: 2_000,
      make: (n) => feedback({ value: long(n) }),
      at: '/elements/0/positive_button/value',
    },
    {
      what: 'accessibility_label of a feedback button',
      most: 75,
      make: (n) => feedback({ accessibility_label: long(n) }),
      at: '/elements/0/positive_button/accessibility_label',
    },
  ),
  ...inMessage(
    'beyond the notes',
    DOCS.element('workflow-button'),
    {
      what: 'text of a workflow button',
      least: 1,
      most: 75,
      make: (n) => workflow({ text: plain(n) }),
      at: '/elements/0/text/text',
    },
    {
      what: 'accessibility_label of a workflow button',
      most: 75,
      make: (n) => workflow({ accessibility_label: long(n) }),
      at: '/elements/0/accessibility_label',
    },
  ),
  // The page says 150 for a value; the types still say 75.
  ...inMessage(
    'option',
    DOCS.object('option'),
    {
      what: 'text of an option',
      least: 1,
      most: 75,
      make: (n) => choose({ text: plain(n) }),
      at: '/elements/0/options/0/text/text',
    },
    {
      what: 'value of an option',
      least: 1,
      most: 150,
      make: (n) => choose({ value: long(n) }),
      at: '/elements/0/options/0/value',
    },
    {
      what: 'description of an option',
      least: 1,
      most: 75,
      make: (n) => choose({ description: plain(n) }),
      at: '/elements/0/options/0/description/text',
    },
    {
      what: 'url of an option',
      most: 3_000,
      make: (n) => actions({ type: 'overflow', action_id: 'a', options: [option(0, { url: address(n) })] }),
      at: '/elements/0/options/0/url',
    },
  ),
  ...inMessage(
    'select',
    DOCS.element('select-menu'),
    {
      what: 'options of a menu',
      least: 1,
      most: 100,
      make: (n) => choices('static_select', n),
      at: '/elements/0/options',
    },
    {
      what: 'options of a menu for many',
      least: 1,
      most: 100,
      make: (n) => ({
        type: 'section',
        text: plain(1),
        accessory: {
          type: 'multi_static_select',
          action_id: 'a',
          options: many(n, (index) => option(index)),
        },
      }),
      at: '/accessory/options',
    },
    {
      what: 'groups of a menu',
      least: 1,
      most: 100,
      make: (n) => select({ option_groups: groups(n) }),
      at: '/elements/0/option_groups',
    },
  ),
  ...inMessage(
    'select',
    DOCS.object('option-group'),
    {
      what: 'options of a group',
      least: 1,
      most: 100,
      make: (n) => select({ option_groups: groups(1, n) }),
      at: '/elements/0/option_groups/0/options',
    },
    {
      what: 'label of a group',
      least: 1,
      most: 75,
      make: (n) => select({ option_groups: [{ label: plain(n), options: [option(0)] }] }),
      at: '/elements/0/option_groups/0/label/text',
    },
  ),
  ...inMessage('checkboxes, radio_buttons / overflow', DOCS.element('checkboxes'), {
    what: 'checkboxes',
    least: 1,
    most: 10,
    make: (n) => choices('checkboxes', n),
    at: '/elements/0/options',
  }),
  ...inMessage('checkboxes, radio_buttons / overflow', DOCS.element('radio-button-group'), {
    what: 'radio buttons',
    least: 1,
    most: 10,
    make: (n) => choices('radio_buttons', n),
    at: '/elements/0/options',
  }),
  ...inMessage('checkboxes, radio_buttons / overflow', DOCS.element('overflow-menu'), {
    what: 'options of an overflow menu',
    least: 1,
    most: 5,
    make: (n) => choices('overflow', n),
    at: '/elements/0/options',
  }),
  ...inMessage('placeholder', DOCS.element('select-menu'), {
    what: 'placeholder',
    least: 1,
    most: 150,
    make: (n) => select({ options: [option(0)], placeholder: plain(n) }),
    at: '/elements/0/placeholder/text',
  }),
  ...inMessage(
    'confirm',
    DOCS.object('confirmation-dialog'),
    {
      what: 'title of a confirmation',
      least: 1,
      most: 100,
      make: (n) => confirming({ title: plain(n) }),
      at: '/elements/0/confirm/title/text',
    },
    {
      what: 'text of a confirmation',
      least: 1,
      most: 300,
      make: (n) => confirming({ text: plain(n) }),
      at: '/elements/0/confirm/text/text',
    },
    {
      what: 'yes of a confirmation',
      least: 1,
      most: 30,
      make: (n) => confirming({ confirm: plain(n) }),
      at: '/elements/0/confirm/confirm/text',
    },
    {
      what: 'no of a confirmation',
      least: 1,
      most: 30,
      make: (n) => confirming({ deny: plain(n) }),
      at: '/elements/0/confirm/deny/text',
    },
  ),
];
