// The table of contents with page numbers, which CSS in Chromium cannot count yet (target-counter).

const PAGES_BEFORE_CHAPTERS = 2; // the cover and the contents

export function fillContents(list, chapters) {
  const headings = [...chapters.querySelectorAll('h1, h2')];
  const pages = pageNumbers(chapters, headings);
  headings.forEach((heading, index) => {
    heading.id = `section-${index + 1}`;
    const item = document.createElement('li');
    item.className = heading.localName;
    item.innerHTML = `<a href="#${heading.id}"><span class="page">${pages[index]}</span><span class="entry"></span></a>`;
    item.querySelector('.entry').textContent = heading.textContent;
    list.append(item);
  });
}

/**
 * Lays the chapters out in columns as wide and as high as the printed page: the same engine breaks columns and
 * pages at the same places, so the column in which a heading stands is its page.
 */
function pageNumbers(chapters, headings) {
  chapters.classList.add('as-columns');
  const { left, width } = chapters.getBoundingClientRect();
  const numbers = headings.map((heading) => {
    const column = Math.floor((heading.getBoundingClientRect().left - left) / width);
    return PAGES_BEFORE_CHAPTERS + column + 1;
  });
  chapters.classList.remove('as-columns');
  return numbers;
}
