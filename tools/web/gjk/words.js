// What a step does, in words.

const number = x => Number(x.toPrecision(5)).toString();

export function answerOf({ verdict, distance, lower, upper }) {
    if (verdict === 'separated') {
        return `Separated, proved: the distance is ${number(distance)}, between ${number(lower)} and ${number(upper)}.`;
    }
    if (verdict === 'intersecting') return 'They intersect: they share a point, up to rounding.';
    return 'Undecided: they touch, or rounding leaves it open.';
}

const figures = ['', 'a point', 'a segment', 'a triangle', 'a tetrahedron'];

export function stepOf({ corners }, at, answer, isLast) {
    const { verdict, margin, band } = answer, found = [];
    found.push(at === 1
        ? 'The first direction (red arrow) leads from a point inside one shape to a point inside the other.'
        : 'The direction (red arrow) leads from the last step’s nearest point to the origin.');
    found.push('The farthest point of a along it less the farthest point of b against it is the difference’s farthest ' +
               `point: the simplex’s newest corner. The simplex is now ${figures[corners.length]}.`);
    if (!isLast) {
        found.push('From its point nearest to the origin (blue) the next step goes on, and corners that this point does ' +
                   'not need are dropped.');
    } else if (verdict === 'separated') {
        found.push('No point of the difference is nearer to the origin. Along the violet arrow all of a lies lower than ' +
                   'all of b' + (margin > 0 ? ', margins included' : '') + ': that is the proof. Rounding may have moved ' +
                   `the violet plane by ${number(band)}, and the origin is beyond that.`);
    } else if (verdict === 'intersecting') {
        found.push(margin > 0 ? 'The difference comes nearer to the origin than both margins together.'
                              : 'The simplex contains the origin, so the shapes share a point.');
    } else {
        found.push('Rounding may have moved the difference’s boundary by as much as the violet band is thick ' +
                   `(${number(band)} to either side), and the origin is within it.`);
    }
    return found.join(' ');
}
