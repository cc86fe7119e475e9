/** What Office files of all ages say about themselves. */

export interface Properties {
	readonly title: string | null;
	readonly description: string | null;
	readonly language: string | null;
}

/** Names that programs give to what nobody has named. */
export const emptyTitles =
	/^(?:(?:microsoft )?(?:word|excel|powerpoint)(?: document| presentation| - .*)|powerpoint-pr.sentation|pr.sentation powerpoint|untitled|document ?\d*|presentation ?\d*|slide 1)$/i;
