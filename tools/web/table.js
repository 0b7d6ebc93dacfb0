// The table of the ways: milliseconds of culling, instances drawn, milliseconds a frame. Medians of the last ones.

const kept = 31;

class Recent {
    #values = [];

    add(value) {
        this.#values.push(value);
        if (this.#values.length > kept) this.#values.shift();
    }

    get median() {
        return [...this.#values].sort((a, b) => a - b)[this.#values.length >> 1];
    }
}

export class Table {
    #rows = new Map();

    // choose(name) is called when a row is.
    constructor(ways, instances, choose) {
        document.querySelector('#instances').textContent = instances.toLocaleString('en');
        const body = document.querySelector('tbody');
        Object.entries(ways).forEach(([name, { title }], k) => {
            const row = body.insertRow();
            row.innerHTML = `<td><kbd>${k + 1}</kbd> ${title}</td><td></td><td></td><td></td>`;
            row.addEventListener('click', () => this.choose(name));
            this.#rows.set(name, { row, culling: new Recent(), frame: new Recent(), drawn: undefined });
        });
        this.choose = name => {
            choose(name);
            for (const [other, { row }] of this.#rows) row.classList.toggle('chosen', other === name);
        };
        this.choose(Object.keys(ways)[0]);
    }

    note(name, milliseconds, drawn) {
        const entry = this.#rows.get(name);
        entry.culling.add(milliseconds);
        entry.drawn = drawn;
    }

    noteFrame(name, milliseconds) {
        this.#rows.get(name).frame.add(milliseconds);
    }

    // lamps: those of the frame, or null by day.
    noteLamps(lamps) {
        document.querySelector('#lamps').textContent = lamps === null ? '' :
            `${lamps.lights.count.toLocaleString('en')} lamps in ${lamps.cells.entryCount.toLocaleString('en')} entries of ` +
            `cells, ${lamps.milliseconds.toFixed(2)} ms`;
    }

    // The median of the milliseconds that the way's culling took.
    millisecondsOf(name) {
        return this.#rows.get(name).culling.median;
    }

    show() {
        for (const { row, culling, frame, drawn } of this.#rows.values()) {
            const [, first, second, third] = row.cells;
            first.textContent = culling.median?.toFixed(2) ?? '';
            second.textContent = drawn?.toLocaleString('en') ?? '';
            third.textContent = frame.median?.toFixed(1) ?? '';
        }
    }
}
