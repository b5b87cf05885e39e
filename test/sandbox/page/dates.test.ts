/** Fields for dates and times: when the bot hears of a value, and what is refused. */
import { expect, test } from 'vitest';
import { photograph } from './harness/page-harness.ts';
import { pageWithBotStage } from './harness/page-with-bot.ts';
import { plain } from './samples/messages.ts';

const enter = pageWithBotStage();

const actions = (element: Record<string, unknown>) => [
  { type: 'actions', block_id: 'b', elements: [{ action_id: 'a', ...element }] },
];
const confirm = { title: plain('Sure?'), text: plain('Really'), confirm: plain('Yes'), deny: plain('No') };
const starts = {
  type: 'modal',
  title: plain('Window'),
  submit: plain('Send'),
  blocks: [
    {
      type: 'input',
      block_id: 'starts',
      label: plain('Starts'),
      optional: true,
      element: { type: 'datetimepicker', action_id: 'a' },
    },
  ],
};

test('a date that is typed reaches the bot once, whole, when it is complete', async () => {
  const { page, post, botRequests } = await enter();
  await post(actions({ type: 'datepicker' }));
  await page.getByTitle('Select a date').focus();
  await page.keyboard.type('12242027');
  await page.keyboard.press('Enter');
  await page.getByTitle('Select a date').fill('2027-12-31');
  await expect
    .poll(() => botRequests('block_actions').flatMap((each) => each['actions']))
    .toMatchObject([{ selected_date: '2027-12-24' }, { selected_date: '2027-12-31' }]);
});

// docs.slack.dev/reference/block-kit/block-elements/date-picker-element
test('the placeholder stands on an empty field that nobody types in', async () => {
  const { page, post } = await enter();
  await post(actions({ type: 'datepicker', placeholder: plain('Pick a deadline') }));
  const field = page.locator('[data-action-id=a]');
  const shown = () =>
    field.evaluate((node) => getComputedStyle(node.parentElement ?? node, '::before').content);
  await expect.poll(shown).toBe('"Pick a deadline"');
  await field.focus();
  await expect.poll(shown).toBe('none');
  await field.fill('2027-12-24');
  await field.blur();
  await expect.poll(shown).toBe('none');
});

test('a declined choice brings the placeholder back', async () => {
  const { page, post } = await enter();
  await post(actions({ type: 'timepicker', placeholder: plain('Pick a time'), confirm }));
  const field = page.locator('[data-action-id=a]');
  await field.fill('14:07');
  await page.getByRole('button', { name: 'No' }).click();
  await expect.poll(() => field.getAttribute('data-empty')).toBe('');
});

// docs.slack.dev/reference/block-kit/block-elements/time-picker-element
test('a time picker names its time zone underneath', async () => {
  const { page, post } = await enter();
  await post(actions({ type: 'timepicker', timezone: 'America/Chicago' }));
  const [field, hint] = await Promise.all([
    page.locator('[data-action-id=a]').boundingBox(),
    page.getByText('America/Chicago').boundingBox(),
  ]);
  expect(hint?.y).toBeGreaterThanOrEqual((field?.y ?? 0) + (field?.height ?? 0));
});

test('leaving the field sends what was typed', async () => {
  const { page, post, lastBotRequest } = await enter();
  await post(actions({ type: 'timepicker', initial_time: '09:15' }));
  await page.getByTitle('Select a time').focus();
  await page.keyboard.type('0207PM');
  await page.getByTitle('Select a time').blur();
  expect(await lastBotRequest('block_actions')).toMatchObject({ actions: [{ selected_time: '14:07' }] });
});

test.each([
  { type: 'datepicker', initial_date: '2026-11-20', holds: '2026-11-20' },
  { type: 'timepicker', initial_time: '09:15', holds: '09:15' },
])('the bot never hears of an emptied $type, which keeps its value', async ({ holds, ...element }) => {
  const { page, post, botRequests } = await enter();
  await post(actions(element));
  const field = page.locator('[data-action-id=a]');
  await field.fill('');
  await field.blur();
  await expect.poll(() => field.inputValue()).toBe(holds);
  expect(botRequests('block_actions')).toEqual([]);
});

test('declining the confirm dialog takes the date back', async () => {
  const { page, post, botRequests } = await enter();
  await post(actions({ type: 'datepicker', initial_date: '2026-11-20', confirm }));
  const field = page.getByTitle('Select a date');
  await field.fill('2026-12-01');
  await page.getByRole('dialog', { name: 'Sure?' }).getByRole('button', { name: 'No' }).click();
  await expect.poll(() => field.inputValue()).toBe('2026-11-20');
  expect(botRequests('block_actions')).toEqual([]);
});

test('a date without its time is refused at the field, and neither is needed in an optional one', async () => {
  const { page, openModal, botRequests, lastBotRequest } = await enter();
  await openModal(starts);
  const dialog = page.getByRole('dialog', { name: 'Window' });
  await dialog.getByLabel('Starts').focus();
  await page.keyboard.type('11282026');
  await dialog.getByRole('button', { name: 'Send' }).click();
  await expect
    .poll(() => dialog.locator('[data-error=starts]').textContent())
    .toBe('Please enter a valid date and time.');
  expect(botRequests('view_submission')).toEqual([]);
  await dialog.getByLabel('Starts').fill('');
  await dialog.getByRole('button', { name: 'Send' }).click();
  expect(await lastBotRequest('view_submission')).toMatchObject({
    view: { state: { values: { starts: { a: { selected_date_time: null } } } } },
  });
});

test('a chosen date survives a change of its message', async () => {
  const { page, post, call } = await enter();
  const block = (text: string) => [
    { type: 'section', block_id: 's', text: plain(text) },
    {
      type: 'input',
      block_id: 'b',
      label: plain('Day'),
      element: { type: 'datepicker', action_id: 'a' },
    },
  ];
  const ts = await post(block('Before lunch'));
  await page.getByLabel('Day').fill('2026-12-01');
  await call('chat.update', { channel: 'C0OPS000001', ts, text: 'card', blocks: block('Afterwards') });
  await page.getByText('Afterwards').waitFor();
  await expect.poll(() => page.getByLabel('Day').inputValue()).toBe('2026-12-01');
});

test.each([
  { name: 'desktop', width: 1280, height: 900 },
  { name: 'dark', width: 1280, height: 900, colorScheme: 'dark' as const },
  { name: 'phone', width: 390, height: 844, hasTouch: true },
])('every field fits its modal and its message: $name', async ({ name, ...look }) => {
  const { page, post, openModal } = await enter(look);
  const kinds = ['datepicker', 'timepicker', 'datetimepicker'];
  const fields = kinds.map((type) => ({
    type: 'input',
    block_id: type,
    label: plain(type),
    hint: plain('In your time zone'),
    element: { type, action_id: 'a' },
  }));
  await post([...actions({ type: 'datepicker', initial_date: '2026-11-20' }), ...fields]);
  await openModal({ ...starts, blocks: fields });
  await photograph(page, `dates-${name}`);
  const boxes = page.locator('.date-input:visible');
  await expect.poll(() => boxes.count()).toBe(7);
  await expect
    .poll(() =>
      boxes.evaluateAll((nodes) =>
        nodes.every((node) => {
          const { left, right } = node.getBoundingClientRect();
          return left >= 0 && right <= innerWidth && node.scrollWidth <= node.clientWidth;
        }),
      ),
    )
    .toBe(true);
});
