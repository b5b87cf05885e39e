/** One control server per test file, with new answers and a fresh window for each test. */
import type { Page } from 'playwright-core';
import { beforeEach } from 'vitest';
import { useStarted } from '../../../harness/use-started.ts';
import { createFakeControl, type FakeControl, type FakeMessage } from './fake-control.ts';
import { openAddress, type TabAppearance, tabs } from './tabs.ts';

/** Registers the hooks. Errors that the page logged fail the test. */
export function pageStage() {
  const { open, close } = tabs();
  const address = useStarted(openAddress);
  let control: FakeControl;
  beforeEach(() => {
    control = createFakeControl();
    address.answerWith(control.listener);
  });
  async function openPage(route: string = 'operator/ops', look: TabAppearance = {}): Promise<Page> {
    const page = await open(`${address.url}/#${route}`, look);
    await page.locator('[data-channel][aria-current]').waitFor({ state: 'attached' });
    await page.locator('#scroller[aria-busy=false]').waitFor({ state: 'attached' });
    await page.locator('body[data-offers=read]').waitFor({ state: 'attached' });
    return page;
  }
  return {
    control: (): FakeControl => control,
    /** Returns a page before the test ends. */
    close,
    /** Opens the page at `#person/channel` and waits until it is rendered. */
    open: openPage,
    /** The same at #ops with these messages. */
    openWith(...messages: readonly FakeMessage[]): Promise<Page> {
      control.channels.set('ops', [...messages]);
      return openPage();
    },
  };
}
