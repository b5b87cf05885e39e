/**
 * A message as it is handed to Slack, and Slack's limits. Source, unless another is named: the reference of blocks and composition objects on docs.slack.dev, as in
 * the doc comments of @slack/types.
 */
export const LIMIT = {
  messageBlocks: 50,
  modalBlocks: 100,
  homeBlocks: 100,
  /** Recommended; Slack cuts only above 40,000 (chat.postMessage). */
  messageText: 4_000,
  /**
   * Our own budget for all blocks of a message as JSON: messages of about 13,200 characters were refused, and one of
   * 11,341 (`msg_blocks_too_long`), although no limit says so (slackapi/bolt-js issues 2509 and 2867).
   */
  messageTotal: 11_000,
  sectionText: 3_000,
  sectionFields: 10,
  fieldText: 2_000,
  contextElements: 10,
  actionsElements: 25,
  actionId: 255,
  blockId: 255,
  /** About 30 characters are shown. */
  buttonText: 75,
  buttonValue: 2_000,
  confirmTitle: 100,
  confirmText: 300,
  confirmButton: 30,
  modalTitle: 24,
  modalButton: 24,
  optionText: 75,
  /** Newer pages say 150; the lower number satisfies both. */
  optionValue: 75,
  menuOptions: 100,
  menuGroups: 100,
  groupLabel: 75,
  checkboxes: 10,
  placeholder: 150,
  privateMetadata: 3_000,
  inputLabel: 2_000,
  inputHint: 2_000,
  inputMaxLength: 3_000,
  url: 3_000,
  /**
   * Bytes of an acknowledgement in Socket Mode: Slack closes the connection after a longer frame (revelrylabs/slax#614;
   * slack-go/slack, socketmode.go, where one of this length is refused too).
   */
  acknowledgement: 20 * 1024 - 1,
  /** docs.slack.dev/reference/block-kit/blocks/data-visualization-block */
  chartTitle: 50,
  chartPoints: 20,
  chartLabel: 20,
  /** docs.slack.dev/reference/block-kit/blocks/table-block. Rows include the heading; text is that of all cells. */
  tableRows: 100,
  tableColumns: 20,
  tableText: 10_000,
} as const;

/** Our own limits for other people's text. */
export const DISPLAY_LIMIT = {
  /** Names of devices, groups, packages and people: escaped characters. */
  name: 120,
  /** Reasons, answers of devices, evidence. */
  sentence: 600,
  /** Names in buttons and dialogs. */
  label: 60,
} as const;

export type RenderedMessage = {
  readonly text: string;
  readonly blocks: readonly Block[];
  /** The blocks without charts and tables, for windows and for a Slack that refuses them. Absent where there are none. */
  readonly plain?: readonly Block[] | undefined;
};

/** A Block Kit block as JSON, made by the builders in `kit/` and `forms/`. */
export type Block = { readonly type: string; readonly block_id?: string } & Readonly<Record<string, unknown>>;
