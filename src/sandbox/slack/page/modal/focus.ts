/** Returns the focus to where it was when the dialog opened, even if that node was rendered again. */

export function rememberFocus() {
  const before = document.activeElement;
  const element = before?.closest('[data-action-id]');
  const message = element?.closest('[data-ts]');
  return () => {
    // The browser has already returned it to a node that still exists.
    if (document.activeElement !== document.body && document.activeElement !== null) return;
    const twin = element && document.querySelector(selectorOf(message ?? null, element));
    const target = before?.isConnected ? before : (twin ?? document.querySelector('[data-composer]'));
    if (target instanceof HTMLElement) target.focus();
  };
}

function selectorOf(message: Element | null, element: Element) {
  const scope = message ? `[data-ts="${CSS.escape(message.getAttribute('data-ts') ?? '')}"] ` : '';
  const names = ['data-block-id', 'data-action-id'].map(
    (name) => `[${name}="${CSS.escape(element.getAttribute(name) ?? '')}"]`,
  );
  return scope + names.join('');
}
