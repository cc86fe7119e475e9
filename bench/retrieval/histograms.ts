/** Histograms of values from 0 to 1, several kinds in each of several panels, as one SVG picture that needs nothing else. */

import { colourOf, picture, text } from "../../server/evaluation/bar-chart.ts";

export interface Panel {
	readonly name: string;
	readonly series: readonly { readonly name: string; readonly values: readonly number[] }[];
}

const bins = 20;
const panel = { width: 300, height: 120, gap: 46, top: 58, left: 34 } as const;
const columns = 2;

export function histograms(title: string, panels: readonly Panel[]): string {
	const rows = Math.ceil(panels.length / columns);
	const width = columns * (panel.width + panel.gap) + panel.left;
	const legend = (panels[0]?.series ?? []).map(({ name }, i) => {
		const x = panel.left + i * 150;
		return `<rect x="${x}" y="30" width="12" height="12" fill="${colourOf(i)}"/>${text(x + 18, 40, name, "start")}`;
	});
	const drawn = panels.flatMap((each, i) => {
		const left = panel.left + (i % columns) * (panel.width + panel.gap);
		const top = panel.top + Math.floor(i / columns) * (panel.height + panel.gap);
		return drawPanel(each, left, top);
	});
	return picture(title, width, panel.top + rows * (panel.height + panel.gap), [...legend, ...drawn]);
}

/** Each kind as a line over the share of its values in each bin, on a scale of its own panel. */
function drawPanel({ name, series }: Panel, left: number, top: number): readonly string[] {
	const shares = series.map(({ values }) => sharesOf(values));
	const highest = Math.max(0.01, ...shares.flat());
	const floor = top + panel.height;
	const lines = shares.map((own, i) => {
		const points = own.flatMap((share, bin) => {
			const y = (floor - (share / highest) * panel.height).toFixed(1);
			return [`${place(bin, left)},${y}`, `${place(bin + 1, left)},${y}`];
		});
		return `<polyline points="${points.join(" ")}" fill="none" stroke="${colourOf(i)}" stroke-width="2"/>`;
	});
	const marks = [0, 0.3, 0.6, 0.85, 1].map((value) => {
		const x = (left + value * panel.width).toFixed(1);
		return `<line x1="${x}" y1="${top}" x2="${x}" y2="${floor}" stroke="#ddd"/>${text(Number(x), floor + 14, String(value), "middle")}`;
	});
	return [...marks, `<line x1="${left}" y1="${floor}" x2="${left + panel.width}" y2="${floor}" stroke="#888"/>`, ...lines, text(left, top - 4, name, "start")];
}

function sharesOf(values: readonly number[]): readonly number[] {
	const counts = new Array<number>(bins).fill(0);
	for (const value of values) {
		const bin = Math.min(bins - 1, Math.floor(value * bins));
		counts[bin] = (counts[bin] ?? 0) + 1;
	}
	return counts.map((count) => count / Math.max(1, values.length));
}

function place(bin: number, left: number): string {
	return (left + (bin / bins) * panel.width).toFixed(1);
}
