/** The local Slack against Slack's documented lists: methods, tiers, scopes, errors, blocks and elements by surface. */
import { describe, expect, it } from 'vitest';
import {
  BLOCKS_NOT_ON,
  isElementOn,
  type Surface,
} from '../../../../src/sandbox/slack/validate/placement-rules.ts';
import { allMethods } from '../../../../src/sandbox/slack/web-api/all-methods.ts';
import { ELEMENT_SAMPLES } from '../validate/element-samples.ts';
import { RICH_TEXT_ELEMENTS, SAMPLES } from '../validate/samples.ts';
import { DOCUMENTED, isDocumented } from './documented-lists.ts';
import { UNDOCUMENTED_ERRORS } from './undocumented-errors.ts';

const METHODS = allMethods(() => '');
const SURFACES: readonly Surface[] = ['message', 'modal', 'home'];
/** Elements of blocks that the samples show whole. */
const IN_THEIR_BLOCKS = ['feedback_buttons', 'icon_button'];

describe('the local Slack', () => {
  it.each(METHODS)('has the documented tier of $name', ({ name, perMinute }) => {
    const { tier } = documented(name);
    // No number is documented for the special tier: about ten a second is what others saw.
    expect(perMinute).toBe(DOCUMENTED.tiers[tier] ?? 600);
  });

  it.each(METHODS)('needs the documented scopes and token for $name', ({ name, scopes, token }) => {
    const { bot, token: needsToken } = documented(name);
    expect(scopes.toSorted()).toEqual(bot);
    expect(token !== 'none').toBe(needsToken);
  });

  it.each(METHODS)('takes JSON for $name only where that is documented', ({ name, formOnly }) => {
    expect(formOnly).toBe(documented(name).formOnly);
  });

  it('has the documented blocks of each surface', () => {
    for (const [type, on] of Object.entries(DOCUMENTED.blocks))
      expect([type, SURFACES.filter((surface) => !BLOCKS_NOT_ON[surface].includes(type))]).toEqual([
        type,
        on,
      ]);
    expect(SAMPLES.map(({ block }) => block.type).toSorted()).toEqual(Object.keys(DOCUMENTED.blocks));
  });

  it('has the documented elements of each surface', () => {
    for (const [type, on] of Object.entries(DOCUMENTED.elements))
      expect([type, SURFACES.filter((surface) => isElementOn(type, surface))]).toEqual([type, on]);
    const types = [...ELEMENT_SAMPLES.map(({ element }) => element.type), ...IN_THEIR_BLOCKS];
    expect([...new Set(types)].toSorted()).toEqual(Object.keys(DOCUMENTED.elements));
  });

  it('has the documented elements of rich text', () => {
    expect(RICH_TEXT_ELEMENTS.map(({ type }) => type).toSorted()).toEqual(DOCUMENTED.richTextElements);
  });
});

describe('the errors that are not documented', () => {
  it('are really not', () => {
    for (const { error, methods = [] } of UNDOCUMENTED_ERRORS)
      expect(methods.filter((method) => isDocumented(method, error))).toEqual([]);
  });

  it('have a source', () => {
    for (const { source, why } of UNDOCUMENTED_ERRORS)
      expect([source, why]).toEqual([expect.stringMatching(/^https:\/\/./), expect.stringMatching(/./)]);
  });
});

function documented(name: string) {
  const method = DOCUMENTED.methods[name];
  if (!method) throw new Error(`Slack has no method ${name}`);
  return method;
}
