import { describe, expect, it } from 'vitest';
import { at, createFormsHarness, wordsOf } from './forms-harness.ts';

describe('a live field that changes', () => {
  const press = (desk: ReturnType<typeof createFormsHarness>, name: string, hash?: string) =>
    desk.forms.onPress(at('act', name, hash), async () => undefined);

  it('refreshes the form for the window as it was', async () => {
    const desk = createFormsHarness();
    await press(desk, 'web');
    expect(desk.calls).toEqual(['redraw V1 at h1']);
    expect(wordsOf(desk.windows)).toContain('now web');
  });

  it('draws only the newest of two changes', async () => {
    const desk = createFormsHarness();
    await Promise.all([press(desk, 'w'), press(desk, 'we')]);
    expect(desk.calls).toEqual(['redraw V1 at h1']);
    expect(wordsOf(desk.windows)).toContain('now we');
  });

  it('knows what it has sent since the person saw the window', async () => {
    const desk = createFormsHarness({ redrawn: [{ kind: 'ok', value: { id: 'V1', hash: 'h2' } }] });
    await press(desk, 'w', 'h1');
    await press(desk, 'we', 'h1');
    expect(desk.calls).toEqual(['redraw V1 at h1', 'redraw V1 at h2']);
  });

  it('tells privately what fails, and leaves the window as it is', async () => {
    const desk = createFormsHarness({ form: { redraw: async () => Promise.reject(new Error('broken')) } });
    await press(desk, 'web');
    expect(desk.calls).toEqual([]);
    expect(desk.told).toMatchObject([
      { kind: 'problem', problem: { kind: 'unexpected', changed: 'nothing' } },
    ]);
  });
});
