/** Menus of a message, and the global ones. */
import { describe, expect, test } from 'vitest';
import { personId } from './harness/fake-control.ts';
import { pageStage } from './harness/page-harness.ts';
import { attributes } from './harness/tabs.ts';
import { botMessage } from './samples/messages.ts';

const { control, open, openWith } = pageStage();

/** The events of a long press on a phone. */
const LONG_PRESS = `document.querySelector('article').dispatchEvent(
  new PointerEvent('contextmenu', { pointerType: 'touch', bubbles: true, cancelable: true }),
)`;

describe('the menu of a message', () => {
  test('has reactions, a reply, the text, and the shortcuts that the manifest has for messages', async () => {
    const page = await openWith(botMessage());
    await page.locator('[data-more]').focus();
    await page.keyboard.press('Enter');
    const items = page.getByRole('menuitem');
    await expect
      .poll(() => attributes(items, 'data-menu'))
      .toEqual([
        'react-+1',
        'react-eyes',
        'react-white_check_mark',
        'react-tada',
        'react-thinking_face',
        'reply',
        'copy',
        'shortcut-note',
      ]);
    await page.keyboard.press('End');
    await expect.poll(() => page.locator('[data-menu=shortcut-note]:focus').count()).toBe(1);
    await page.keyboard.press('Escape');
    await page.locator('[data-more]:focus').waitFor();
    await expect.poll(() => items.count()).toBe(0);
  });

  test('uses a shortcut on that message, and says what went wrong', async () => {
    const card = botMessage();
    const page = await openWith(card);
    control().answer('/sandbox/shortcut', { ok: false, error: 'operation_timeout' });
    await page.locator('[data-more]').click();
    await page.getByRole('menuitem', { name: 'Note it down' }).click();
    await page.getByText('Note it down failed with the error operation_timeout').waitFor();
    expect(control().posts).toEqual([
      {
        call: 'POST /sandbox/shortcut',
        body: { user: 'operator', callback_id: 'note', channel: 'ops', ts: card.ts },
      },
    ]);
  });

  test('reacts; the same again takes it back', async () => {
    const card = botMessage({ reactions: [{ name: 'eyes', users: [personId('operator')] }] });
    const page = await openWith(card);
    await page.locator('[data-more]').click();
    await page.locator('[data-menu=react-tada]').click();
    const react = { user: 'operator', channel: 'ops', ts: card.ts };
    await expect.poll(() => control().posts.at(-1)?.body).toEqual({ ...react, name: 'tada', remove: false });
    const chip = page.locator('[data-reaction=eyes]');
    await expect.poll(() => chip.getAttribute('aria-pressed')).toBe('true');
    await expect.poll(() => chip.getAttribute('aria-label')).toBe('eyes: operator');
    await chip.click();
    await expect.poll(() => control().posts.at(-1)?.body).toEqual({ ...react, name: 'eyes', remove: true });
  });

  test('of a note for one person has neither reactions nor shortcuts', async () => {
    const page = await openWith(botMessage({ ephemeral: true, onlyFor: 'operator' }));
    await page.locator('[data-more]').click();
    await expect.poll(() => page.getByRole('menuitem').allTextContents()).toEqual(['Copy text']);
  });

  test('opens on a phone by a long press and by a button that is in sight and large enough', async () => {
    control().channels.set('ops', [botMessage()]);
    const page = await open('operator/ops', { width: 390, height: 844, hasTouch: true });
    const button = page.locator('[data-more]');
    const smallest = async () => {
      const { width = 0, height = 0 } = (await button.boundingBox()) ?? {};
      return Math.min(width, height);
    };
    await expect.poll(smallest).toBeGreaterThanOrEqual(44);
    await button.tap();
    await page.getByRole('menuitem', { name: 'Copy text' }).waitFor();
    await page.keyboard.press('Escape');
    await page.evaluate(LONG_PRESS);
    await page.getByRole('menuitem', { name: 'Reply in thread' }).tap();
    await page.locator('#thread [data-composer]:focus').waitFor();
  });
});

describe('the shortcuts menu', () => {
  test('has the global shortcuts and starts a command', async () => {
    const page = await open();
    await page.locator('[data-shortcuts]').click();
    await expect
      .poll(() => page.getByRole('menuitem').locator('span').allTextContents())
      .toEqual(['Find a device', '/fleet', '/flag']);
    await page.getByRole('menuitem', { name: 'Find a device' }).click();
    await expect
      .poll(() => control().posts)
      .toEqual([
        { call: 'POST /sandbox/shortcut', body: { user: 'operator', callback_id: 'find', channel: 'ops' } },
      ]);
    await page.locator('[data-shortcuts]').click();
    await page.locator('[data-menu=command-fleet]').click();
    await expect.poll(() => page.locator('#composer [data-composer]').inputValue()).toBe('/fleet ');
    await page.locator('[data-completion]').first().waitFor();
  });
});
