/** Headers, footers and the texts of layouts and masters, each once for the whole presentation. */

import { attributeOf, elementByPath, elementsOf, type XmlElement } from "../../xml/xml-element.ts";
import { placeholderOf } from "./placeholders.ts";
import { joinLines, type SlideWalk, shapesIn, typeOf } from "./slide.ts";
import { linesOf } from "./slide-lines.ts";

export interface RunningHeads {
	readonly collect: (slide: XmlElement, walk: SlideWalk) => void;
	readonly texts: () => readonly string[];
}

const headTypes = new Set(["ftr", "hdr"]);

export function collectRunningHeads(): RunningHeads {
	const texts = new Set<string>();
	const seen = new Set<XmlElement>();
	const addTexts = (shapes: readonly XmlElement[], { relations }: SlideWalk) => {
		for (const shape of shapes) {
			const text = joinLines(linesOf(elementByPath(shape, "txBody"), relations, [])).trim();
			// Numbers alone and placeholder texts are left out.
			if (/\p{L}/u.test(text) && !/^[‹<].*[›>]$/.test(text)) texts.add(text);
		}
	};
	return {
		collect(slide, walk) {
			addTexts(
				shapesOf(slide).filter((shape) => headTypes.has(typeOf(shape))),
				walk,
			);
			let isVisible = showsMasterShapes(slide);
			for (const layer of walk.placeholders.layoutAndMaster) {
				if (layer === null || !isVisible) return;
				isVisible = showsMasterShapes(layer);
				if (seen.has(layer)) continue;
				seen.add(layer);
				addTexts(
					shapesOf(layer).filter((shape) => placeholderOf(shape) === null),
					walk,
				);
			}
		},
		texts: () => [...texts],
	};
}

function shapesOf(root: XmlElement): readonly XmlElement[] {
	return elementsOf(elementByPath(root, "cSld", "spTree")).flatMap(shapesIn);
}

/** Whether a slide or layout shows the shapes of the layer below it. */
function showsMasterShapes(root: XmlElement): boolean {
	return !/^(?:0|false)$/.test(attributeOf(root, "showMasterSp") ?? "1");
}
