/** The composer: messages and commands are sent, and commands and names completed. */
import { describe, expect, test } from 'vitest';
import { pageStage } from './harness/page-harness.ts';
import { botMessage, personMessage } from './samples/messages.ts';

const { control, open, openWith } = pageStage();

describe('slash commands', () => {
  test('complete from the commands of the app, then from their words, and are sent by Enter', async () => {
    const page = await open();
    const field = page.getByRole('combobox', { name: 'Message #ops' });
    await field.pressSequentially('/f');
    await expect.poll(() => page.locator('[data-completion]').allTextContents()).toHaveLength(2);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => field.inputValue()).toBe('/fleet ');
    await field.pressSequentially('de');
    await expect
      .poll(() => page.locator('[data-completion] b').allTextContents())
      .toEqual(['/fleet device', '/fleet devices']);
    await page.keyboard.press('Tab');
    await expect.poll(() => field.inputValue()).toBe('/fleet device ');
    await field.pressSequentially('web-01');
    await expect
      .poll(() => page.locator('#composer .completion-hint').textContent())
      .toBe('/fleet device <name>');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => control().posts)
      .toEqual([
        {
          call: 'POST /sandbox/command',
          body: { user: 'operator', channel: 'ops', command: '/fleet', text: 'device web-01' },
        },
      ]);
    await expect.poll(() => field.inputValue()).toBe('');
  });

  test('are sent as they were written when nothing was chosen', async () => {
    const page = await open('approver/approvals');
    await page.locator('[data-composer]').first().fill('/fleet dev');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => control().posts.at(-1)?.body)
      .toEqual({
        user: 'approver',
        channel: 'approvals',
        command: '/fleet',
        text: 'dev',
      });
  });

  test('that fail say so as Slack does, and come back to be tried again', async () => {
    control().answer('/sandbox/command', { ok: false, error: 'operation_timeout' });
    const page = await open();
    const field = page.locator('#composer [data-composer]');
    await field.fill('/fleet help');
    await page.keyboard.press('Enter');
    await page.getByText('/fleet failed with the error operation_timeout').waitFor();
    await expect.poll(() => field.inputValue()).toBe('/fleet help');
    await page.locator('[data-channel=random]').click();
    await page.locator('[data-channel=random][aria-current]').waitFor();
    await expect.poll(() => page.getByText('operation_timeout').count()).toBe(0);
  });

  test('that nobody offers are named as such', async () => {
    control().answer('/sandbox/command', { ok: false, error: 'invalid_command' });
    const page = await open();
    await page.locator('#composer [data-composer]').fill('/nothing');
    await page.keyboard.press('Enter');
    await page.getByText('/nothing is not a valid command.').waitFor();
  });

  test('cannot be sent inside a thread', async () => {
    const card = botMessage();
    const page = await openWith(card);
    await page.locator(`[data-reply="${card.ts}"]`).click();
    await page.locator('#thread [data-composer]').fill('/fleet help');
    await page.keyboard.press('Enter');
    await page.getByText('/fleet failed with the error not_supported_in_threads').waitFor();
    expect(control().posts).toEqual([]);
  });

  test('the line sent last comes back with the arrow', async () => {
    const page = await open();
    const field = page.locator('#composer [data-composer]');
    await field.fill('/fleet queue web-01');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => field.inputValue()).toBe('/fleet queue web-01');
  });

  test('an open completion closes with Escape', async () => {
    const page = await open();
    await page.locator('#composer [data-composer]').pressSequentially('/');
    await page.locator('[data-completion]').first().waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('#composer .completion').isVisible()).toBe(false);
  });
});

describe('the hint below the composer', () => {
  const tips: readonly (readonly [string, string])[] = [
    ['/fleet device ', 'Type /fleet help device for usage'],
    ['/fleet device', 'Type /fleet help device for usage'],
    ['/fleet Devices gr', 'Type /fleet help devices for usage'],
    ['/fleet devices is:', 'Type /fleet help devices for usage'],
    ['/fleet reboot web-01 ', 'Type /fleet help reboot for usage'],
    ['/fleet explode ', 'Type /fleet help to see all commands'],
    ['/fleet ', ''],
    ['/fleet de', ''],
    ['/fleet help ', ''],
    ['/fleet help device', ''],
    ['/flag this ', ''],
    ['/nothing device ', ''],
    ['device ', ''],
  ];
  test('says how to learn more', async () => {
    const page = await open();
    const field = page.locator('#composer [data-composer]');
    const described = (await field.getAttribute('aria-describedby')) ?? 'nothing';
    for (const [line, tip] of tips) {
      await field.fill('/fleet reboot ');
      await field.fill(line);
      await expect.poll(() => page.locator(`#${described}`).textContent(), { message: line }).toBe(tip);
    }
  });

  test('mentions no help that the command does not list', async () => {
    const usageHint = 'device | devices';
    control().answer('/sandbox/commands', { commands: [{ command: '/fleet', description: '', usageHint }] });
    const page = await open();
    await page.locator('#composer [data-composer]').fill('/fleet device ');
    await expect.poll(() => page.locator('#composer .completion').isVisible()).toBe(false);
    await expect.poll(() => page.locator('#composer .composer-tip').textContent()).toBe('');
  });

  test('moves nothing when it appears', async () => {
    const page = await open();
    const field = page.locator('#composer [data-composer]');
    const before = await field.boundingBox();
    await field.fill('/fleet device ');
    await page.getByText('for usage').waitFor();
    await expect.poll(() => field.boundingBox()).toEqual(before);
  });
});

describe('keys', () => {
  test('Tab leaves the field when no list is open', async () => {
    const page = await open();
    await page.locator('#composer [data-composer]').fill('/fleet device web-01');
    await page.keyboard.press('Tab');
    await page.locator('#composer .send:focus').waitFor();
  });
});

describe('plain messages', () => {
  test('are sent as they were written: the workspace makes the mentions and escapes the rest', async () => {
    const page = await open();
    const text = '@approver see #approvals <b> & </b>';
    await page.locator('#composer [data-composer]').fill(text);
    await page.getByRole('button', { name: 'Send' }).click();
    await expect
      .poll(() => control().posts)
      .toEqual([{ call: 'POST /sandbox/message', body: { user: 'operator', channel: 'ops', text } }]);
  });

  test('go where a person has just clicked, however soon they are written', async () => {
    const page = await open();
    // In one step, before the browser reports the new address.
    await page.evaluate(`
      document.querySelector('[data-channel=random] .channel-name').click();
      document.querySelector('#composer [data-composer]').value = 'who is on call?';
      document.querySelector('#composer form').requestSubmit();
    `);
    await expect.poll(() => control().posts.map(({ body }) => body)).toMatchObject([{ channel: 'random' }]);
    expect(new URL(page.url()).hash).toBe('#operator/random');
  });

  test('Shift and Enter make a new line; an empty line is not sent', async () => {
    const page = await open();
    await page.locator('#composer [data-composer]').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('one');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('two');
    await page.keyboard.press('Enter');
    await expect.poll(() => control().posts.map(({ body }) => body)).toMatchObject([{ text: 'one\ntwo' }]);
  });
});

test('usage hints are read as the words that may follow', async () => {
  const hints: readonly (readonly [string, readonly string[]])[] = [
    ['device <name> | devices [a|b] | help', ['device <name>', 'devices [a|b]', 'help ']],
    ['[device|devices|help] name', ['device name', 'devices name', 'help name']],
    ['<name or id>', []],
    ['', []],
    ['help', ['help ']],
  ];
  const page = await open();
  for (const [hint, offered] of hints) {
    const read = await page.evaluate(
      `import('/page/composer.ts').then(({ parseUsageHint }) => parseUsageHint(${JSON.stringify(hint)}))`,
    );
    const words = offered.map((line) => ({
      word: line.split(' ')[0],
      rest: line.slice(line.indexOf(' ') + 1),
    }));
    expect(read, hint).toEqual(words);
  }
});

describe('a draft', () => {
  test('stays in its channel and with its person', async () => {
    const page = await open();
    const field = page.locator('#composer [data-composer]');
    const go = async (channel: string) => {
      await page.locator(`[data-channel=${channel}]`).click();
      await page.locator(`[data-channel=${channel}][aria-current]`).waitFor();
    };
    await field.fill('not ready');
    await go('random');
    await expect.poll(() => field.inputValue()).toBe('');
    await field.fill('another');
    await go('ops');
    await expect.poll(() => field.inputValue()).toBe('not ready');
    await page.locator('[data-person]').selectOption('approver');
    await expect.poll(() => field.inputValue()).toBe('');
    await page.locator('[data-person]').selectOption('operator');
    await expect.poll(() => field.inputValue()).toBe('not ready');
  });

  test('stays in its thread', async () => {
    const [first, second] = [botMessage(), botMessage()];
    const page = await openWith(first, second);
    const field = page.locator('#thread [data-composer]');
    await page.locator(`[data-reply="${first.ts}"]`).click();
    await field.fill('not ready');
    await page.locator(`[data-reply="${second.ts}"]`).click();
    await expect.poll(() => field.inputValue()).toBe('');
    await page.locator(`[data-reply="${first.ts}"]`).click();
    await expect.poll(() => field.inputValue()).toBe('not ready');
  });
});

test('people, groups and the bot are offered after @, and Enter takes the first', async () => {
  const page = await open();
  const field = page.locator('#composer [data-composer]');
  await field.pressSequentially('hello @');
  await expect.poll(() => page.locator('[data-completion] b').allTextContents()).toContain('@patchbay');
  await field.pressSequentially('app');
  await expect.poll(() => page.locator('[data-completion] b').first().textContent()).toBe('@approver');
  await page.keyboard.press('Enter');
  await expect.poll(() => field.inputValue()).toBe('hello @approver ');
  await field.pressSequentially('look');
  await page.keyboard.press('Enter');
  await expect
    .poll(() => control().posts)
    .toEqual([
      {
        call: 'POST /sandbox/message',
        body: { user: 'operator', channel: 'ops', text: 'hello @approver look' },
      },
    ]);
});

test('channels are offered after #, and the rest of the line stays', async () => {
  const page = await open();
  const field = page.locator('#composer [data-composer]');
  await field.fill('see  please');
  for (const _ of 'please ') await field.press('ArrowLeft');
  await field.pressSequentially('#ran');
  await page.locator('[data-completion="#random"]').click();
  await expect.poll(() => field.inputValue()).toBe('see #random please');
});

test('a private channel is in the sidebar and after # for its members only', async () => {
  for (const [who, count] of [
    ['operator2', 1],
    ['operator', 0],
  ] as const) {
    const page = await open(`${who}/ops`);
    await expect.poll(() => page.locator('[data-channel="secret-team"]').count()).toBe(count);
    await page.locator('#composer [data-composer]').pressSequentially('see #');
    await expect.poll(() => page.locator('[data-completion="#random"]').count()).toBe(1);
    await expect.poll(() => page.locator('[data-completion="#secret-team"]').count()).toBe(count);
  }
});

test('nothing is offered where no name is typed', async () => {
  const page = await open();
  const field = page.locator('#composer [data-composer]');
  for (const line of ['write to a@app', 'number 1#', '@nobody', '@viewer']) {
    await field.fill('@');
    await page.locator('[data-completion]').first().waitFor();
    await field.fill(line);
    await expect.poll(() => page.locator('[data-completion]').count()).toBe(0);
  }
});

test('a reply in a thread has them too', async () => {
  const page = await openWith(personMessage('viewer', 'who is on call?'));
  await page.locator('[data-reply]').click();
  await page.locator('#thread [data-composer]').pressSequentially('@view');
  await expect.poll(() => page.locator('#thread [data-completion] b').allTextContents()).toEqual(['@viewer']);
});
