/** With another configured command, no answer mentions the default one. */
import { describe, expect, it } from 'vitest';
import { channelId, deviceId, personId } from '../../../src/lib/ids.ts';
import { withCommandPrefix } from '../../../src/slack/dispatch/dispatch.ts';
import { renderView } from '../../../src/views/views.ts';
import { testPorts } from '../../commands/harness/ports.ts';
import { aDevice, aGroup } from '../../harness/builders.ts';
import { createTestDispatch } from '../harness/test-dispatch.ts';

const ROOT = '/ops';
const CALLER = { person: personId('U0ANN'), channel: channelId('C0OPS') };

/** All texts of an answer, in every form of its message. */
async function answerTexts(text: string): Promise<string> {
  const devices = Array.from({ length: 12 }, (_, at) => aDevice({ id: deviceId(at + 1), name: `web-${at}` }));
  const { ports } = testPorts({ devices, groups: [aGroup({ name: 'Linux servers' })] });
  const { dispatch } = createTestDispatch({
    roleOf: async () => ({ role: 'admin', maybe: null }),
    given: { ports, root: ROOT, admins: [] },
  });
  return JSON.stringify(renderView(await withCommandPrefix(dispatch, ROOT).runText(text, CALLER, 'k')));
}

describe('with another root command', () => {
  it.each([
    ['help'],
    ['help devices'],
    ['help devcies'],
    ['explain device web-1'],
    ['explain alias x = y'],
    ['devices web'],
    ['devices group:"Linux servrs"'],
    ['devices is:onlin'],
    ['devcies web'],
    ['device'],
    ['device-remove web-1'],
    ['alias'],
    ['alias lr = devices web'],
    ['nonsense'],
    ['groups'],
    ['device nobody'],
    ['policy nothing'],
    ['group nothing'],
    ['alias remove nothing'],
    ['unsubscribe 99'],
    ['silence off 99'],
    ['acknowledge #99'],
    ['devices "open'],
  ])('“%s” is answered in its terms', async (text) => {
    const words = await answerTexts(text);
    expect(words).not.toContain('/fleet');
  });

  it('the lines that are offered begin with it', async () => {
    expect(await answerTexts('help devcies')).toContain('/ops help devices');
    expect(await answerTexts('devices group:"Linux servrs"')).toContain('/ops devices');
    expect(await answerTexts('explain device web-1')).toContain('/ops device');
  });

  it.each([
    ['groups', '`/ops group NAME`'],
    ['device nobody', '`/ops devices WORDS`'],
    ['policy nothing', '`/ops policies`'],
    ['group nothing', '`/ops groups`'],
    ['alias remove nothing', '`/ops alias`'],
    ['unsubscribe 99', '`/ops subscriptions all`'],
    ['silence off 99', '`/ops subscriptions all`'],
    ['acknowledge #99', '`/ops alerts`'],
  ])('“%s” says what can be typed: %s', async (text, typed) => {
    expect(await answerTexts(text)).toContain(typed);
  });

  it.each(['/fleet', '/fleet devices', '/fleetx'])('the words “%s” of somebody stay theirs', async (word) => {
    expect(await answerTexts(`device "${word}"`)).toContain(word);
  });
});
