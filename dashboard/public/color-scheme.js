// Runs before the first paint, so that the wrong colour scheme never flashes. The storage key is Mantine's.
{
  const chosen = localStorage.getItem('mantine-color-scheme-value') ?? 'auto';
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  document.documentElement.dataset.mantineColorScheme = chosen === 'auto' ? system : chosen;
}
