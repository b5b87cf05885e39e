import { describe, expect, it } from 'vitest';
import { aDesk, at, wordsOf } from './form-desk.ts';

describe('a live field that changes', () => {
  const press = (desk: ReturnType<typeof aDesk>, name: string, hash?: string) =>
    desk.forms.press(at('act', name, hash), async () => undefined);

  it('draws the form anew, for the window as it was', async () => {
    const desk = aDesk();
    await press(desk, 'web');
    expect(desk.calls).toEqual(['redraw V1 at h1']);
    expect(wordsOf(desk.windows)).toContain('now web');
  });

  it('draws only the newest of two changes', async () => {
    const desk = aDesk();
    await Promise.all([press(desk, 'w'), press(desk, 'we')]);
    expect(desk.calls).toEqual(['redraw V1 at h1']);
    expect(wordsOf(desk.windows)).toContain('now we');
  });

  it('knows what it has drawn since the person saw the window', async () => {
    const desk = aDesk({ redrawn: [{ kind: 'ok', value: 'h2' }] });
    await press(desk, 'w', 'h1');
    await press(desk, 'we', 'h1');
    expect(desk.calls).toEqual(['redraw V1 at h1', 'redraw V1 at h2']);
  });

  it('tells privately what fails, and leaves the window as it is', async () => {
    const desk = aDesk({ form: { redraw: async () => Promise.reject(new Error('broken')) } });
    await press(desk, 'web');
    expect(desk.calls).toEqual([]);
    expect(desk.told).toMatchObject([
      { kind: 'problem', problem: { kind: 'unexpected', changed: 'nothing' } },
    ]);
  });
});
