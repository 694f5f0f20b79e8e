graph [
  name "small"
  node [
    id 0
    label "a"
    size 1
    w 1.5
    t "x<&#38;&#34;&#233;&#10;"
    flag 1
  ]
  node [
    id 1
    label "b"
    size 2
  ]
  node [
    id 2
    label "&#252;"
    w 2
    t "z"
  ]
  edge [
    source 0
    target 1
    weight 2.5
  ]
  edge [
    source 1
    target 2
    weight 1
    kind "k"
  ]
]
