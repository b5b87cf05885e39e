/** Notifications and screen readers read nothing but the fallback text: it holds what decides, for every kind of view. */
import { describe, expect, it } from 'vitest';
import { render } from '../../src/views/render.ts';
import { ALERTS } from './fallback/alerts.ts';

describe('the fallback text', () => {
  it.each([...ALERTS])('of $name says what matters', ({ view, holds }) => {
    const { text } = render(view);
    expect(holds.filter((words) => !text.includes(words))).toEqual([]);
  });
});
