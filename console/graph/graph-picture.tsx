/** The picture of a graph. Everything in it stands in the list beside it, which is its accessible form. */

import { useEffect, useRef, useState } from "react";
import { Button } from "react-aria-components";
import type { Drawing, GraphColours } from "./draw-graph.ts";
import type { Graph } from "./load-graph.ts";

interface GraphPictureProps {
	readonly graph: Graph;
	readonly picked: string | null;
	readonly onPick: (id: string) => void;
}

export function GraphPicture({ graph, picked, onPick }: GraphPictureProps) {
	const place = useRef<HTMLDivElement>(null);
	const [drawing, setDrawing] = useState<Drawing | null>(null);
	const [isMissing, setMissing] = useState(false);
	const isDark = useDark();
	const pick = useRef(onPick);
	pick.current = onPick;
	useEffect(() => {
		// It is drawn once: the layout begins anew with each drawing.
		if (!graph.isWhole) return;
		let made: Drawing | null = null;
		let isGone = false;
		import("./draw-graph.ts")
			.then(({ drawGraph }) => {
				if (isGone || place.current === null) return;
				made = drawGraph(place.current, graph, coloursOf(isDark), (id) => pick.current(id));
				setDrawing(made);
			})
			.catch(() => setMissing(true));
		return () => {
			isGone = true;
			setDrawing(null);
			made?.stop();
		};
	}, [graph, isDark]);
	useEffect(() => drawing?.show(picked), [drawing, picked]);
	if (isMissing) return <p className="hint">This browser cannot draw the picture (it has no WebGL). All of it is in the list.</p>;
	return (
		<div className="graph">
			<div ref={place} className="graph-place" aria-hidden="true" data-drawn={drawing !== null} />
			<div className="actions">
				<Button className="button" isDisabled={drawing === null} onPress={() => drawing?.zoom("in")}>
					Zoom in
				</Button>
				<Button className="button" isDisabled={drawing === null} onPress={() => drawing?.zoom("out")}>
					Zoom out
				</Button>
				<Button className="button" isDisabled={drawing === null} onPress={() => drawing?.zoom("all")}>
					Show all
				</Button>
			</div>
		</div>
	);
}

const dark = matchMedia("(prefers-color-scheme: dark)");

function useDark(): boolean {
	const [isDark, setDark] = useState(dark.matches);
	useEffect(() => {
		const changed = () => setDark(dark.matches);
		dark.addEventListener("change", changed);
		return () => dark.removeEventListener("change", changed);
	}, []);
	return isDark;
}

/** WebGL reads no style sheet: these are the colours of `base.css`. */
function coloursOf(isDark: boolean): GraphColours {
	return isDark
		? { text: "#e9e7e1", memory: "#6fc9b3", older: "#737b7a", document: "#e0b35a", line: "#475052", ground: "#16191b" }
		: { text: "#1d2320", memory: "#1d6a5b", older: "#8b8f88", document: "#a86a00", line: "#c4c0b6", ground: "#f0eee8" };
}
