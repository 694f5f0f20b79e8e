# comment
Creator "x"
graph [ directed 0 node [ id 1 label "a" value 0.5 ] node [ id 2 label "b &quot;q&quot;" value 2 ] edge [ source 1 target 2 weight 1.5 ] edge [ source 2 target 2 ] ]
