/** Decides whether MuPDF can follow a structure tree. It does so recursively, and one that is too deep would end the process. */

import { isArray, isDictionary, lengthOf, objectNumberOf, type Value, valueAt, valueOfKey } from "./pdf-values.ts";

/**
 * The greatest depth of an element, and the greatest number of elements, marked texts and nodes that list them. A standard of 240 pages
 * has some ten thousand texts.
 */
const [depthMax, stepsMax] = [200, 400_000];
/** An element with more children is taken for damaged. */
const childrenMax = 50_000;

/**
 * Whether the elements of all marked texts are at an ordinary depth: MuPDF goes from the texts up to the root. Takes a second for some
 * hundred thousand texts; a tree with more is not followed.
 */
export function isOrdinaryTree(root: Value): boolean {
	return isOrdinaryPart(valueOfKey(root, "ParentTree"), { left: stepsMax, depths: new Map() }, 0);
}

interface Progress {
	/** How many elements, texts and nodes may still be looked at. A file may name the same one any number of times. */
	left: number;
	/** The depths of the elements that were looked at, by their numbers. */
	readonly depths: Map<number, number>;
}

/** @param part of the tree of numbers that lists the element of each text */
function isOrdinaryPart(part: Value, progress: Progress, depth: number): boolean {
	if (depth > depthMax || progress.left-- <= 0) return false;
	const values = itemsOf(valueOfKey(part, "Nums"));
	for (let index = 1; index < values.length; index += 2) {
		const value = valueAt(values.array, index);
		if (!isOrdinaryElement(value, progress)) return false;
		const elements = itemsOf(value);
		for (let at = 0; at < elements.length; at++) if (!isOrdinaryElement(valueAt(elements.array, at), progress)) return false;
	}
	const parts = itemsOf(valueOfKey(part, "Kids"));
	for (let index = 0; index < parts.length; index++) if (!isOrdinaryPart(valueAt(parts.array, index), progress, depth + 1)) return false;
	return true;
}

function itemsOf(value: Value): { readonly array: Value; readonly length: number } {
	return { array: value, length: isArray(value) ? lengthOf(value) : 0 };
}

/** Whether few parents are between the element and the root. What is no element does no harm. */
function isOrdinaryElement(value: Value, progress: Progress): boolean {
	if (progress.left-- <= 0) return false;
	const { depths } = progress;
	const climbed: number[] = [];
	let element = value;
	let number = objectNumberOf(element);
	for (; !depths.has(number) && isDictionary(element); number = objectNumberOf(element)) {
		climbed.push(number);
		if (climbed.length > depthMax || progress.left-- <= 0) return false;
		element = valueOfKey(element, "P");
	}
	const depth = climbed.length + (depths.get(number) ?? 0);
	for (const [steps, each] of climbed.entries()) if (!Number.isNaN(each)) depths.set(each, depth - steps);
	return depth <= depthMax;
}

/** The children of an element with their indexes. */
export function* childrenOf(element: Value): Generator<readonly [number, Value]> {
	const children = valueOfKey(element, "K");
	if (!isArray(children)) {
		yield [0, children];
		return;
	}
	const length = lengthOf(children);
	if (length > childrenMax) throw new Error("an element has too many children");
	for (let index = 0; index < length; index++) yield [index, valueAt(children, index)];
}
