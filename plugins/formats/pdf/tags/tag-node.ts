/** The elements of the structure tree of a tagged PDF, as far as they hold text of a page. */

/** The standard structure types of MuPDF 1.28 (fitz/structured-text.h, `fz_structure`) that are told apart here. */
export const roles = {
	caption: 6,
	contents: 7,
	index: 9,
	withoutMeaning: 10,
	fragment: 12,
	aside: 13,
	sub: 16,
	paragraph: 17,
	heading: 18,
	lastHeading: 24,
	list: 25,
	item: 26,
	itemLabel: 27,
	itemBody: 28,
	table: 29,
	row: 30,
	headerCell: 31,
	cell: 32,
	tableHead: 33,
	span: 36,
	note: 38,
	bibliographyEntry: 40,
	formula: 54,
} as const;

export interface TagNode {
	/** One of `roles`, or another type of MuPDF. */
	readonly role: number;
	/** Its position among the children of its parent in the file. */
	readonly index: number;
	readonly parent: TagNode | undefined;
}

/** The element that is a block of text: a paragraph, a heading, an item, a cell. What is set within a line has no element of its own. */
export function textElementOf(node: TagNode): TagNode {
	let element = node;
	while (element.parent !== undefined && isWithinText(element.role) && !isGroup(element.parent.role)) element = element.parent;
	return element;
}

/** Whether all of the element's text is one text, even if a footnote or a list is in between. */
export function holdsText({ role }: TagNode): boolean {
	return role === roles.paragraph || isHeading(role) || role === roles.item || role === roles.caption;
}

export function isHeading(role: number): boolean {
	return role >= roles.heading && role <= roles.lastHeading;
}

/** From 1 to 6; 1 for a heading that has no level. */
export function headingLevelOf({ role }: TagNode): number {
	return Math.max(1, role - roles.heading);
}

/** The nearest element with the role, the element itself included. */
export function closest(node: TagNode | undefined, matches: (role: number) => boolean): TagNode | undefined {
	let element = node;
	while (element !== undefined && !matches(element.role)) element = element.parent;
	return element;
}

/** The element furthest out with the role: of nested tables, the one that holds the others. */
export function outermost(node: TagNode | undefined, role: number): TagNode | undefined {
	let found: TagNode | undefined;
	for (let element = node; element !== undefined; element = element.parent) if (element.role === role) found = element;
	return found;
}

function isWithinText(role: number): boolean {
	if (role === roles.note || role === roles.bibliographyEntry) return false;
	const isPartOfItem = role === roles.itemLabel || role === roles.itemBody;
	return role < 0 || role === roles.withoutMeaning || role === roles.sub || isPartOfItem || (role >= roles.span && role <= roles.formula);
}

/** Whether the element holds blocks of text. */
function isGroup(role: number): boolean {
	return (role >= 0 && role < roles.caption) || groups.has(role) || holdsNoText(role);
}

/** Whether text right in the element cannot be meant: a list has items, a table has cells. */
export function holdsNoText(role: number): boolean {
	return role === roles.list || role === roles.table || role === roles.row || (role >= roles.tableHead && role < roles.span);
}

const groups: ReadonlySet<number> = new Set([roles.contents, roles.index, roles.fragment, roles.aside]);
